// setmaxnreg in PTX: warps wait for registers, and those of a warpgroup change them together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

interface Sizes {
  readonly warpgroups?: number;
  readonly directives?: string;
  readonly launch?: object;
  readonly memory?: 'isa';
}

/** By warpgroup: what it does, and what its last warp does. */
async function verdictOf(
  groups: readonly string[],
  { directives, launch = {}, memory }: Sizes = {},
) {
  const threads = 128 * groups.length;
  const branches = groups.map((_, group) => {
    return `setp.eq.u32 %p0, %r1, ${group}; @%p0 bra GROUP${group};`;
  });
  const bodies = groups.map((body, group) => `GROUP${group}: ${body} bra END;`);
  const text = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry kernel()
${directives ?? `.maxntid ${threads}, 1, 1 .minnctapersm 1`}
{
.reg .b32 %r<4>; .reg .pred %p<4>; .shared .align 8 .b64 full;
mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 7; shr.u32 %r2, %r0, 5; and.b32 %r2, %r2, 3;
setp.eq.u32 %p1, %r2, 3; setp.ne.u32 %p2, %r0, 0; @%p2 bra READY;
mbarrier.init.shared::cta.b64 [full], 1;
READY: bar.sync 0;
${branches.join('\n')}
${bodies.join('\n')}
END: ret;
}
`;
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: {
      file: 'launch.json',
      text: JSON.stringify({ grid: [1, 1, 1], block: [threads, 1, 1], params: [], ...launch }),
    },
  });
  const { verdict, findings, scope } = await check(kernel, memory === undefined ? {} : { memory });
  return { verdict, findings, rule: findings[0]?.rule, assumptions: scope.assumptions };
}

const dec = (count: number): string => `setmaxnreg.dec.sync.aligned.u32 ${count};`;
const inc = (count: number): string => `setmaxnreg.inc.sync.aligned.u32 ${count};`;

test('what all warps want has to fit', async () => {
  const right = await verdictOf([dec(24), inc(240), inc(240)]);
  assert.deepEqual([right.verdict, right.rule], ['certified', undefined]);
  const wrong = await verdictOf([dec(40), inc(240), inc(240)]);
  assert.equal(wrong.rule, 'register-deadlock');
  const less = await verdictOf([dec(40), inc(216), inc(216)]);
  assert.deepEqual([less.verdict, less.rule], ['certified', 'unused-registers']);
});

test('registers that come back only after others were taken', async () => {
  // The first warpgroup waits for the second one, which waits for its registers.
  const wait = 'W: mbarrier.try_wait.parity.shared::cta.b64 %p3, [full], 0; @!%p3 bra W;';
  const arrive = 'setp.eq.u32 %p3, %r0, 128; @%p3 mbarrier.arrive.shared::cta.b64 _, [full];';
  const late = await verdictOf([`${wait} ${dec(24)}`, `${inc(240)} ${arrive}`, inc(168)]);
  assert.equal(late.rule, 'register-deadlock');
  const early = await verdictOf([`${dec(24)} ${wait}`, `${inc(240)} ${arrive}`, inc(240)]);
  assert.equal(early.verdict, 'certified');
  // There is enough for all at any time.
  const returned = await verdictOf([`${dec(24)} ${wait} ${inc(168)} ${dec(24)}`, arrive, inc(168)]);
  assert.equal(returned.verdict, 'certified');
});

test('the number of registers at the launch', async () => {
  const groups = [dec(24), inc(240), inc(240)];
  const of = (directives: string, launch = {}) => verdictOf(groups, { directives, launch });
  assert.equal((await of('.maxnreg 168')).verdict, 'certified');
  assert.equal((await of('.maxnreg 160')).rule, 'register-deadlock');
  assert.equal((await of('.reqntid 384, 1, 1 .minnctapersm 1')).verdict, 'certified');
  assert.equal((await of('.maxntid 384, 1, 1 .minnctapersm 2')).rule, 'register-deadlock');
  assert.equal((await of('', { registers: 160 })).rule, 'register-deadlock');
  const ignored = await of('.maxntid 384, 1, 1');
  assert.equal(ignored.verdict, 'certified');
  assert.ok(ignored.assumptions.some(({ text }) => text.startsWith('setmaxnreg is ignored')));
});

test('all warps of a warpgroup change them, in the right direction', async () => {
  const some = await verdictOf([`@%p1 bra END; ${dec(24)}`, inc(168), inc(168)]);
  assert.equal(some.rule, 'register-misuse');
  assert.equal(some.findings[0]?.primary.role, 'warp2');
  assert.equal((await verdictOf([dec(200), inc(240)])).verdict, 'certified');
  assert.equal((await verdictOf([dec(200), inc(240), inc(240)])).rule, 'register-misuse');
  assert.equal((await verdictOf([inc(160), inc(232), dec(24)])).rule, 'register-misuse');
  assert.equal((await verdictOf([dec(20), dec(24), inc(168)])).rule, 'register-misuse');
});

/** Groups that take registers one after the other, behind barriers of all warps. */
function inTurn(groups: number, shared: number): string[] {
  const all = `bar.sync 1, ${128 * groups};`;
  return Array.from({ length: groups }, (_, group) => {
    const own = `bar.sync ${2 + group}, 128;`;
    const turn = `${inc(shared)} ${own} ${dec(24)}`;
    const turns = Array.from({ length: groups }, (__, at) => `${all} ${at === group ? turn : ''}`);
    return `${dec(24)} ${turns.join(' ')} ${all}`;
  });
}

test('groups of warps that take registers in turn, with 8 to 16 warps', async () => {
  for (const groups of [2, 3, 4]) {
    // Each group takes all that the others have given back.
    const most = 24 + Math.floor((40 * groups) / 8) * 8;
    const right = await verdictOf(inTurn(groups, most), { directives: '.maxnreg 64' });
    assert.equal(right.verdict, 'certified', `${groups} groups`);
    const wrong = await verdictOf(inTurn(groups, most + 8), { directives: '.maxnreg 64' });
    assert.equal(wrong.rule, 'register-deadlock', `${groups} groups`);
  }
});

test('warps of two groups that take the last registers and wait for their groups', async () => {
  const turn = (id: number): string =>
    `${dec(24)} bar.sync ${id}, 128; ${inc(104)} bar.sync ${id}, 128; ${dec(24)}`;
  const wrong = await verdictOf([turn(1), turn(2)], { directives: '.maxnreg 64' });
  assert.ok(['deadlock', 'register-deadlock'].includes(wrong.rule ?? ''));
  // 7 warps can have theirs at a time: then some group always has all that it wants.
  const right = await verdictOf([turn(1), turn(2)], { launch: { registers: 96 } });
  assert.equal(right.verdict, 'certified');
});

test('warps of a group that change registers again without a barrier between', async () => {
  const twice = `${dec(48)} ${dec(24)}`;
  const joined = `${dec(48)} bar.sync 1, 128; ${dec(24)}`;
  const names = ({ assumptions }: Awaited<ReturnType<typeof verdictOf>>): string[] =>
    assumptions.map(({ name }) => name);
  const apart = await verdictOf([twice, inc(168)], { directives: '.maxnreg 168' });
  assert.deepEqual([apart.verdict, names(apart)], ['certified', ['H22']]);
  const together = await verdictOf([joined, inc(168)], { directives: '.maxnreg 168' });
  assert.deepEqual([together.verdict, names(together)], ['certified', []]);
  const strictly = await verdictOf([twice, inc(168)], {
    directives: '.maxnreg 168',
    memory: 'isa',
  });
  assert.equal(strictly.verdict, 'inconclusive');
});
