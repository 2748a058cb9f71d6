// Addresses that are data: whether two warps meet at a word is a matter of what the buffer holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { stepsKernel } from '#src/kernel/steps-kernel';
import type { Kernel } from '@poundlock/core/internal/program';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<12>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  .shared .align 16 .b8 histogram[256]; .shared .b32 drawn;`;
const BEGIN = `ld.param.u64 %rd0, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4;
  add.s64 %rd1, %rd0, %rd1; ld.global.u32 %r2, [%rd1]; and.b32 %r2, %r2, 63; shl.b32 %r3, %r2, 2;
  mov.u32 %r4, histogram; add.u32 %r4, %r4, %r3;`;

/** 64 threads that each count into the word that their own input names. */
function histogram(count: string, inputs: readonly number[] | null): Kernel {
  const contents = inputs === null ? {} : { int32: inputs };
  const launch = {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    params: [{ kind: 'pointer', bytes: 256, ...contents }],
  };
  const text = kernelText(DECLARATIONS, `${BEGIN} ${count} ret;`, '.param .u64 p');
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

async function verdictOf(
  count: string,
  inputs: readonly number[] | null,
): Promise<readonly string[]> {
  const { verdict, findings, reason } = await check(histogram(count, inputs));
  return [verdict, findings[0]?.rule ?? reason ?? ''];
}

const PLAIN = 'ld.shared.u32 %r5, [%r4]; add.u32 %r5, %r5, 1; st.shared.u32 [%r4], %r5;';
const ATOMIC = 'red.shared.add.u32 [%r4], 1;';
const lanes = Array.from({ length: 64 }, (_, lane) => lane);

test('a histogram of unknown inputs is a race for some of them', async () => {
  const [verdict, reason] = await verdictOf(PLAIN, null);
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /^warp\d .*\bhistogram\+0\/256 .*\bwarp\d/);
  assert.match(reason!, /if both touch the same bytes: data decides which ones/);
});

test('a steps file says so, too', async () => {
  const kernel = histogram(PLAIN, null);
  const text = kernel.runText!(kernel.defaults as Record<string, number>);
  const ofFile = await check(stepsKernel({ file: 'steps.jsonl', text }));
  assert.equal(ofFile.reason, (await check(kernel)).reason);
});

const MINE = 'shl.b32 %r6, %r1, 2; mov.u32 %r7, histogram; add.u32 %r6, %r7, %r6;';
const READ = `${MINE} ld.shared.u32 %r8, [%r6];`;
const MEET = 'bar.sync 0;';

test('a word that each thread reads while others count is a race for some input', async () => {
  assert.deepEqual(await verdictOf(`${ATOMIC} ${MEET} ${READ}`, null), ['certified', '']);
  assert.deepEqual(await verdictOf(`${ATOMIC} ${READ}`, null), ['counterexample', 'race']);
  // Without the mask no input is known to be one of the kernel's.
  const free = BEGIN.replace('and.b32 %r2, %r2, 63;', '');
  const [verdict] = await verdictOf(`${free} ${ATOMIC} ${READ}`, null);
  assert.equal(verdict, 'inconclusive');
});

test('words that masks keep apart are no race', async () => {
  // Each warp has half of the bins.
  const half = `${BEGIN} and.b32 %r2, %r2, 31; shl.b32 %r3, %r2, 2; shr.u32 %r9, %r1, 5;
    mad.lo.u32 %r4, %r9, 128, histogram; add.u32 %r4, %r4, %r3;`;
  assert.deepEqual(await verdictOf(`${half} ${ATOMIC} bar.warp.sync -1; ${READ}`, null), [
    'certified',
    '',
  ]);
  // Each warp takes what is of its half: whether it does is data, and which bin it is.
  const taken = `shr.u32 %r9, %r1, 5; shr.u32 %r10, %r2, 5; setp.ne.u32 %p0, %r9, %r10;
    @%p0 bra SKIP; ${ATOMIC} SKIP: bar.warp.sync -1; ${READ}`;
  assert.equal((await verdictOf(taken, null))[0], 'inconclusive');
});

test('a store that data decides is a race where another warp reads for certain', async () => {
  const store = 'setp.eq.u32 %p0, %r2, 5; @%p0 bra SKIP; st.shared.u32 [%r6], %r2; SKIP:';
  const other = 'xor.b32 %r9, %r6, 128; ld.shared.u32 %r8, [%r9];';
  assert.deepEqual(await verdictOf(`${MINE} ${store} ${MEET} ${other}`, null), ['certified', '']);
  assert.deepEqual(await verdictOf(`${MINE} ${store} ${other}`, null), ['counterexample', 'race']);
  // Of two accesses that data decides, perhaps only one happens at a time.
  const both = `setp.ne.u32 %p1, %r2, 5; @%p1 bra NEXT; ${other} NEXT:`;
  assert.equal((await verdictOf(`${MINE} ${store} ${both}`, null))[0], 'inconclusive');
});

test('a store that waits for a signal of others is no race for certain', async () => {
  const signaled = `setp.ne.u32 %p0, %r9, 5; @%p0 bra SKIP; st.shared.u32 [%r6], %r2; SKIP:`;
  const other = 'xor.b32 %r10, %r6, 128; ld.shared.u32 %r8, [%r10];';
  const flags = {
    'ld.volatile.global.u32 %r9, [%rd0];': 'inconclusive',
    'atom.shared.exch.b32 %r9, [drawn], %r2;': 'inconclusive',
    'ld.global.u32 %r9, [%rd0];': 'counterexample',
  };
  for (const [flag, verdict] of Object.entries(flags))
    assert.equal((await verdictOf(`${MINE} ${flag} ${signaled} ${other}`, null))[0], verdict, flag);
  // A word of shared memory may say what an atomic has answered; it is data where nothing does.
  const passed = (load: string): string =>
    `${MINE} setp.ne.u32 %p1, %r1, 0; @%p1 bra HERE; ${load} st.shared.u32 [histogram], %r9;
     HERE: bar.sync 0; ld.shared.u32 %r9, [histogram]; bar.sync 0; ${signaled} ${other}`;
  const [drawn] = await verdictOf(passed('atom.shared.exch.b32 %r9, [drawn], %r2;'), null);
  const [loaded] = await verdictOf(passed('ld.global.u32 %r9, [%rd0];'), null);
  assert.deepEqual([drawn, loaded], ['inconclusive', 'counterexample']);
});

test('with its inputs it is one, or none', async () => {
  assert.deepEqual(await verdictOf(PLAIN, lanes), ['certified', '']);
  const [verdict, rule] = await verdictOf(
    PLAIN,
    lanes.map((lane) => (lane === 40 ? 3 : lane)),
  );
  assert.deepEqual([verdict, rule], ['counterexample', 'race']);
});

test('atomic additions are none', async () => {
  assert.deepEqual(await verdictOf(ATOMIC, null), ['certified', '']);
});

test('a rank that is data may be that of each CTA of the cluster', async () => {
  const declarations = `.reg .b32 %r<12>; .reg .b64 %rd<4>; .shared .align 4 .b32 bins[32];`;
  const meet = 'barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;';
  const body = (rank: string, before: string, behind: string): string => `
    ld.param.u64 %rd0, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4;
    add.s64 %rd1, %rd0, %rd1; mov.u32 %r2, bins; shl.b32 %r3, %r1, 2; add.u32 %r3, %r2, %r3;
    st.shared.u32 [%r3], 0; ${before}
    ld.global.u32 %r4, [%rd1]; and.b32 %r5, %r4, 31; shl.b32 %r5, %r5, 2; add.u32 %r5, %r2, %r5;
    ${rank} mapa.shared::cluster.u32 %r6, %r5, %r7; red.shared::cluster.add.u32 [%r6], 1;
    ${behind} ld.shared.u32 %r8, [%r3]; ret;`;
  const verdict = async (text: string): Promise<string> => {
    const launch = {
      grid: [2, 1, 1],
      cluster: [2, 1, 1],
      block: [32, 1, 1],
      params: [{ kind: 'pointer', bytes: 128 }],
    };
    const kernel = ptxKernel({
      ptx: { file: 'kernel.ptx', text: kernelText(declarations, text, '.param .u64 p') },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
    });
    return (await check(kernel)).verdict;
  };
  const isData = 'shr.u32 %r7, %r4, 31;';
  const isOwn = 'mov.u32 %r7, %cluster_ctarank;';
  assert.equal(await verdict(body(isData, meet, meet)), 'certified');
  for (const [before, behind] of [
    ['', meet],
    [meet, 'bar.sync 0;'],
  ] as const) {
    assert.notEqual(await verdict(body(isData, before, behind)), 'certified');
    // Warps that reach into their own CTA alone do not wait for the other one.
    const own = await verdict(body(isOwn, before === '' ? 'bar.sync 0;' : before, behind));
    assert.equal(own, 'certified');
  }
});
