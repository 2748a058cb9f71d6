// mbarrier instructions in all their forms: what is a fault, what is a step, what is assumed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowerRun } from '#src/lower/roles';
import type { ReferenceRun } from '#src/steps/run';
import { kernelText } from '../../kernel-text.ts';
import { runText } from '../machine/launch-of.ts';
import type { LaunchFields } from '../machine/launch-of.ts';

function run(body: string, fields: LaunchFields = { block: [1, 1, 1] }): ReferenceRun {
  const declarations =
    '.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>; .shared .align 8 .b64 full[2];';
  return runText(kernelText(declarations, `${body} ret;`), fields);
}

const INIT = 'mbarrier.init.shared::cta.b64 [full], 2;';

const FAULTS: Readonly<Record<string, readonly [string, string]>> = {
  'a count of 0': ['mbarrier.init.shared::cta.b64 [full], 0;', 'barrier-count'],
  'a count of 2^20': ['mbarrier.init.shared::cta.b64 [full], 1048576;', 'barrier-count'],
  'an address that is no multiple of 8': [
    'mbarrier.init.shared::cta.b64 [full+4], 1;',
    'misaligned',
  ],
  'an address behind shared memory': [
    'mbarrier.init.shared::cta.b64 [full+1048576], 1;',
    'out-of-bounds',
  ],
  'a store behind shared memory': [
    'mov.u32 %r0, 1; st.shared.u32 [full+4096], %r0;',
    'out-of-bounds',
  ],
  'an arrival without init': [
    'mbarrier.arrive.shared::cta.b64 _, [full];',
    'uninitialized-barrier',
  ],
  'bytes without init': [
    'mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [full], 16;',
    'uninitialized-barrier',
  ],
  'inval without init': ['mbarrier.inval.shared::cta.b64 [full];', 'uninitialized-barrier'],
  'inval twice': [
    `${INIT} mbarrier.inval.shared::cta.b64 [full]; mbarrier.inval.shared::cta.b64 [full];`,
    'uninitialized-barrier',
  ],
  'a wait without init': [
    'L: mbarrier.try_wait.parity.shared::cta.b64 %p0, [full], 0; @!%p0 bra L;',
    'uninitialized-barrier',
  ],
  'an arrival too many that leaves': [
    `${INIT} mbarrier.arrive_drop.shared::cta.b64 _, [full], 3;`,
    'over-arrival',
  ],
  'an arrival with .noComplete that completes': [
    `${INIT} mbarrier.arrive.noComplete.shared::cta.b64 %rd0, [full], 2;`,
    'over-arrival',
  ],
};

for (const [name, [body, rule]] of Object.entries(FAULTS)) {
  test(`${name} is a fault`, () => {
    assert.deepEqual(
      run(body).faults.map((fault) => fault.rule),
      [rule],
    );
  });
}

test('an arrival with .noComplete that leaves arrivals is assumed to do so in every order', () => {
  const notOf = ({ assumptions }: ReturnType<typeof run>) =>
    assumptions.filter(({ name }) => name !== 'H17');
  const leaves = `${INIT} mbarrier.arrive.noComplete.shared::cta.b64 %rd0, [full], 1;`;
  const result = run(leaves);
  assert.deepEqual(result.faults, []);
  assert.match(result.assumptions[0]!.text, /noComplete/);
  const arrives = 'mbarrier.arrive.shared::cta.b64 _, [full];';
  assert.deepEqual(run(`${leaves} ${arrives}`).assumptions, []);
  const other = `${leaves} mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; @%p0 ${arrives}`;
  assert.deepEqual(run(other).assumptions, []);
  const ofOther = run(other.replace('eq', 'ne'), { block: [2, 1, 1] });
  // Both lanes initialize the barrier, too.
  assert.equal(notOf(ofOther).length, 1);
  // Nor does an arrival at another barrier, or at the next phase, prove it.
  const elsewhere = arrives.replace('full', 'full+8');
  const init = INIT.replace('full', 'full+8');
  assert.equal(run(`${init} ${leaves} ${elsewhere}`).assumptions.length, 1);
});

test('lanes that leave a barrier count each', () => {
  const { warps } = run(
    `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra GO; mbarrier.init.shared::cta.b64 [full], 64; GO: bar.warp.sync -1;
     mbarrier.arrive_drop.shared::cta.b64 _, [full];`,
    { block: [32, 1, 1] },
  );
  const step = warps[0]!.steps.at(-1)!;
  assert.ok(step.op === 'arrive');
  assert.deepEqual([step.arrivals, step.isDrop], [32, true]);
});

test('bytes that are expected as a thread leaves are expected first', () => {
  const result = run(`${INIT} mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, [full], 64;`);
  assert.deepEqual(
    lowerRun(result).roles[0]!.actions.map(({ kind }) => kind),
    ['init', 'expect', 'drop'],
  );
});

const CLUSTER: LaunchFields = { grid: [2, 1, 1], block: [1, 1, 1], cluster: [2, 1, 1] };
const PEER = `${INIT} barrier.cluster.arrive; barrier.cluster.wait;
  mov.u32 %r0, full; mov.u32 %r1, %cluster_ctarank; xor.b32 %r1, %r1, 1; mapa.shared::cluster.u32 %r2, %r0, %r1;`;

test('an arrival at the barrier of a peer names its CTA', () => {
  const result = run(
    `${PEER} mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];`,
    CLUSTER,
  );
  const ranks = lowerRun(result).roles.map(({ actions }) => {
    const last = actions.at(-1)!;
    return last.kind === 'arrive' ? last.rank : -1;
  });
  assert.deepEqual(ranks, [1, 0]);
});

test('leaving the barrier of a peer leaves the kernel undecided', () => {
  const result = run(
    `${PEER} mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [%r2];`,
    CLUSTER,
  );
  assert.match(result.undecided[0]!.text, /another CTA/);
});

const ARRIVE_TWICE = `${INIT} mbarrier.arrive.shared::cta.b64 %rd0, [full]; mbarrier.arrive.shared::cta.b64 %rd1, [full];`;

test('a wait with a state waits for the phase of its arrival', () => {
  const result = run(
    `${ARRIVE_TWICE} L: mbarrier.try_wait.shared::cta.b64 %p0, [full], %rd1; @!%p0 bra L;`,
  );
  const step = result.warps[0]!.steps.at(-1)!;
  assert.ok(step.op === 'wait');
  assert.equal(step.parity, 0);
});

test('a state that is older than the phase before orders nothing', () => {
  const result = run(
    `${ARRIVE_TWICE} mbarrier.arrive.shared::cta.b64 _, [full], 2;
     L: mbarrier.try_wait.shared::cta.b64 %p0, [full], %rd0; @!%p0 bra L;`,
  );
  assert.match(result.assumptions[0]!.text, /older/);
  assert.notEqual(result.warps[0]!.steps.at(-1)!.op, 'wait');
});
