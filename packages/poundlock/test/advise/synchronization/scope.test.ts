// What a claim has to hold for: all launches, values that may vary, ways of unknown data; and what
// instructions order that no run has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import { reviewSynchronization } from '#src/advise/synchronization/review';
import { kernelText } from '../../../../ptx/test/kernel-text.ts';

const DECLARATIONS = `.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
.shared .align 16 .b8 words[4096];`;
/** Thread t has word t in %rd4 and %r11; word t xor 32, of the other warp, is in %rd6 and %r12. */
const THREAD = `mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [data]; cvta.to.global.u64 %rd2, %rd1;
mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; xor.b32 %r2, %r1, 32; mul.wide.u32 %rd5, %r2, 4;
add.s64 %rd6, %rd2, %rd5; mov.u32 %r10, words; shl.b32 %r11, %r1, 2; add.u32 %r11, %r11, %r10;
shl.b32 %r12, %r2, 2; add.u32 %r12, %r12, %r10;`;
const POINTER = { kind: 'pointer', bytes: 65536 };
const WITH_NUMBER = '.param .u64 data, .param .u32 n';

function optionsOf(body: string, fields: object = {}, params = '.param .u64 data') {
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [POINTER], ...fields };
  const text = kernelText(DECLARATIONS, `${THREAD}\n${body}\nret;`, params);
  return {
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  };
}

async function verdictsOf(body: string, fields: object = {}, params?: string): Promise<string[]> {
  const { instructions } = await reviewSynchronization(optionsOf(body, fields, params), {});
  return instructions.map(({ verdict, opcode }) => `${opcode} ${verdict}`);
}

/** A barrier that is needed where n is at least 5. */
const FROM_FIVE = `st.shared.u32 [%r11], %r1;\nbar.sync 0;\nld.param.u32 %r5, [n];
setp.lt.u32 %p1, %r5, 5;\n@%p1 bra skip;\nld.shared.u32 %r6, [%r12];\nskip:`;
const numbered = (value: number, more: object = {}) => {
  return { params: [POINTER, { name: 'n', kind: 'scalar', type: 'i32', value, ...more }] };
};

test('a claim holds for the values that may vary, and says for which', async () => {
  assert.deepEqual(await verdictsOf(FROM_FIVE, numbered(1), WITH_NUMBER), ['bar.sync unnecessary']);
  const varied = numbered(1, { vary: { from: 0, to: 9 } });
  const review = await reviewSynchronization(optionsOf(FROM_FIVE, varied, WITH_NUMBER), {});
  assert.equal(review.instructions[0]?.verdict, 'necessary');
  assert.match(review.instructions[0].why ?? '', /n=5/);
  assert.ok(review.sizes.length > 4);
});

test('a claim holds for all launches of the file and for those beside it', async () => {
  const options = optionsOf(FROM_FIVE, numbered(1), WITH_NUMBER);
  const launch = (value: number) => ({
    grid: [1, 1, 1],
    block: [64, 1, 1],
    ...numbered(value),
  });
  const both = JSON.stringify({ launches: [launch(1), launch(7)] });
  const inOne = { ...options, launch: { file: 'launch.json', text: both } };
  const other = { file: 'launch-2.json', text: JSON.stringify(launch(7)) };
  for (const each of [inOne, { ...options, otherLaunches: [other] }]) {
    const { instructions, sizes } = await reviewSynchronization(each, {});
    assert.equal(instructions[0]?.verdict, 'necessary');
    assert.equal(sizes.length, 2);
  }
  const chosen = await reviewSynchronization({ ...inOne, launchIndex: 0 }, {});
  assert.equal(chosen.instructions[0]?.verdict, 'unnecessary');
});

test('a claim holds on every way that unknown data may lead', async () => {
  const way = (barrier: string) => `st.shared.u32 [%r11], %r1;\nbar.sync 0;
ld.global.u32 %r5, [%rd2];\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra skip;\n${barrier}
ld.shared.u32 %r6, [%r12];\nbar.sync 2;\nskip:`;
  const [first] = await verdictsOf(way(''));
  assert.notEqual(first, 'bar.sync unnecessary');
  const [second] = await verdictsOf(way('bar.sync 1;'));
  assert.equal(second, 'bar.sync unnecessary');
});

test('a claim does not need that any other instruction that synchronizes is reached', async () => {
  const body = `bar.sync 0;\nld.param.u32 %r5, [n];\nsetp.lt.u32 %p1, %r5, 5;\n@%p1 bra skip;
bar.sync 1;\nskip:`;
  assert.deepEqual(await verdictsOf(body, numbered(1), WITH_NUMBER), [
    'bar.sync unnecessary',
    'bar.sync unreached',
  ]);
});

test('fences that other blocks may need are not judged', async () => {
  for (const fence of ['membar.gl', 'fence.acq_rel.gpu', 'fence.sc.sys'])
    for (const signal of ['st.global.u32', 'st.relaxed.gpu.global.u32', 'red.global.add.u32'])
      assert.deepEqual(
        await verdictsOf(`st.global.u32 [%rd4], %r1;\n${fence};\n${signal} [%rd4+4096], 1;`),
        [`${fence} undecided`],
      );
});

test('a barrier before a signal to other blocks is not called unnecessary', async () => {
  for (const signal of ['red.release.gpu.global.add.u32', 'st.release.gpu.global.u32'])
    assert.deepEqual(
      await verdictsOf(`st.global.u32 [%rd4], %r1;\nbar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;
@%p1 bra end;\n${signal} [%rd2+4096], 1;\nend:`),
      ['bar.sync undecided'],
    );
});

test('what copies read of global memory counts', async () => {
  const verdicts = await verdictsOf(`st.global.u32 [%rd4], %r1;\nbar.sync 0;
cp.async.ca.shared.global [%r11], [%rd6], 4;\ncp.async.wait_all;\nld.shared.u32 %r5, [%r11];`);
  assert.ok(!verdicts.includes('bar.sync unnecessary'));
});

test('pointers that come from memory, and accesses that are not followed, leave it open', async () => {
  const bodies = [
    `st.global.u32 [%rd4], %r1;\nbar.sync 0;\nld.global.u64 %rd7, [%rd2+8192];\nld.global.u32 %r6, [%rd7];`,
    `st.shared.u32 [%r11], %r1;\nbar.sync 0;
add.s64 %rd8, %rd4, %rd3;\nld.global.u64 %rd7, [%rd8+8192];\nld.u32 %r6, [%rd7];\nst.global.u32 [%rd4], %r6;`,
    `st.shared.u32 [%r11], %r1;\nbar.sync 0;
wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r3,%r4,%r5,%r6,%r7,%r8,%r9,%r14}, [%r10], 16;`,
    `st.shared.u32 [%r11], %r1;\nbar.sync 0;\nsuld.b.1d.b32.trap {%r5}, [%rd1, {%r1}];`,
  ];
  for (const body of bodies) assert.deepEqual(await verdictsOf(body), ['bar.sync undecided']);
});

test('a barrier of lanes that have parted stays before what all of them do', async () => {
  const verdicts = await verdictsOf(`and.b32 %r3, %r1, 31;\nsetp.ne.u32 %p1, %r3, 0;
@%p1 bra join;\nadd.u32 %r4, %r1, 1;\njoin: bar.warp.sync 0xffffffff;
setmaxnreg.dec.sync.aligned.u32 40;`);
  assert.deepEqual(verdicts, ['bar.warp.sync undecided']);
});

test('nothing is claimed of a kernel that is not decided, and a wrong one is an error', async () => {
  const undecided = `st.shared.u32 [%r11], %r1;\nbar.sync 0;\nbar.sync 0;\nspin:
ld.volatile.global.u32 %r5, [%rd2];\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra spin;`;
  const review = await reviewSynchronization(optionsOf(undecided), {});
  assert.notEqual(review.unjudged, null);
  assert.ok(review.instructions.every(({ change }) => change === null));
  const wrong = optionsOf(`st.shared.u32 [%r11], %r1;\nld.shared.u32 %r5, [%r12];\nbar.sync 0;`);
  await assert.rejects(reviewSynchronization(wrong, {}), InputError);
});

test('an arrival that only unnecessary waits wait for does not go alone', async () => {
  const verdicts = await verdictsOf(`mov.u32 %r13, words; setp.ne.u32 %p1, %r1, 0;\n@%p1 bra on;
mbarrier.init.shared.b64 [%r13], 32;\non: bar.sync 0;\nsetp.lt.u32 %p2, %r1, 32;\n@%p2 bra first;
mbarrier.arrive.shared.b64 _, [%r13];\nbra done;\nfirst:
wait: mbarrier.try_wait.parity.shared.b64 %p3, [%r13], 0;\n@!%p3 bra wait;\ndone: bar.sync 0;`);
  assert.deepEqual(verdicts.slice(1, 3), [
    'mbarrier.arrive.shared.b64 undecided',
    'mbarrier.try_wait.parity.shared.b64 unnecessary',
  ]);
});
