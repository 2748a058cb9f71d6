// Lanes that data parts, exchange values among those that are there, and store at numbers that they
// have drawn from a counter: as `coalesced_threads()` of cooperative groups does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<24>; .reg .b64 %rd<4>; .reg .pred %p<6>;
  .shared .align 4 .b32 counts[2]; .shared .align 16 .b32 queue[64];`;
const BEGIN = `ld.param.u64 %rd0, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4;
  add.s64 %rd1, %rd0, %rd1; ld.global.u32 %r2, [%rd1]; mov.u32 %r3, counts; mov.u32 %r4, queue;
  setp.ne.u32 %p0, %r1, 0; @%p0 bra MEET; st.shared.u32 [%r3], 0; st.shared.u32 [%r3+4], 0;
  MEET: bar.sync 0; mov.u32 %r5, %laneid; setp.lt.s32 %p1, %r2, 8;`;
const MASK = 'activemask.b32 %r6;';
/** The first of the lanes that are there adds how many they are; each takes a number of its own. */
const DRAW = `mov.u32 %r7, %lanemask_lt; and.b32 %r8, %r7, %r6; popc.b32 %r9, %r8;
  setp.ne.u32 %p2, %r8, 0; @%p2 bra DRAWN; popc.b32 %r10, %r6; atom.shared.add.u32 %r11, [%r3], %r10;
  DRAWN: brev.b32 %r12, %r6; bfind.shiftamt.u32 %r13, %r12;
  shfl.sync.idx.b32 %r14, %r11, %r13, 31, %r6; add.u32 %r15, %r14, %r9;
  shl.b32 %r16, %r15, 2; add.u32 %r16, %r4, %r16;`;
const STORE = 'st.shared.u32 [%r16], %r2; END:';
const READ = 'shl.b32 %r17, %r1, 2; add.u32 %r17, %r4, %r17; ld.shared.u32 %r18, [%r17];';
const COUNT = 'ld.shared.u32 %r19, [%r3];';

async function verdictOf(...lines: readonly string[]) {
  const text = kernelText(DECLARATIONS, [BEGIN, ...lines, 'ret;'].join('\n'), '.param .u64 p');
  const launch = {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    params: [{ kind: 'pointer', bytes: 256 }],
  };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, scope, reason } = await check(kernel);
  const rule = verdict === 'counterexample' ? findings[0]!.rule : verdict;
  const isAssumed = scope.assumptions.some((each) => each.text.includes('places of their own'));
  return { rule, isAssumed, reason };
}

test('a queue that each warp fills at numbers it has drawn', async () => {
  const lines = ['@%p1 bra END;', MASK, DRAW, STORE, 'bar.sync 0;', COUNT, READ];
  const { rule, isAssumed } = await verdictOf(...lines);
  assert.deepEqual([rule, isAssumed], ['certified', true]);
});

test('a count that is read while others draw is a race', async () => {
  const { rule } = await verdictOf('@%p1 bra END;', MASK, DRAW, STORE, COUNT, 'bar.sync 0;', READ);
  assert.equal(rule, 'race');
});

test('a mask of lanes of which some have parted since names those, too', async () => {
  const { rule, reason } = await verdictOf(MASK, '@%p1 bra END;', DRAW, STORE, 'bar.sync 0;');
  assert.equal(rule, 'inconclusive');
  assert.match(reason!, /lanes that unknown data has parted/);
});

test('numbers of two counters may be the same, and so may what was loaded', async () => {
  const other =
    'add.u32 %r20, %r3, 4; atom.shared.add.u32 %r21, [%r20], 1; add.u32 %r16, %r16, %r21;';
  const loaded = 'and.b32 %r21, %r2, 28; add.u32 %r16, %r16, %r21;';
  for (const more of [other, loaded]) {
    const { rule } = await verdictOf('@%p1 bra END;', MASK, DRAW, more, STORE, 'bar.sync 0;', READ);
    assert.equal(rule, 'inconclusive');
  }
});

test('lanes of one warp draw from a word of global memory in any order', async () => {
  const body = `ld.param.u64 %rd0, [p]; ld.param.u64 %rd1, [c]; mov.u32 %r1, %tid.x;
    setp.ge.u32 %p0, %r1, 2; @%p0 bra END; atom.global.add.u32 %r2, [%rd1], 1;
    mul.wide.u32 %rd2, %r2, 4; add.s64 %rd2, %rd0, %rd2; st.global.u32 [%rd2], %r1; END: ret;`;
  const launch = {
    grid: [2, 1, 1],
    block: [32, 1, 1],
    params: [
      { kind: 'pointer', bytes: 256 },
      { kind: 'pointer', bytes: 4, int32: [0] },
    ],
  };
  const kernel = ptxKernel({
    ptx: {
      file: 'kernel.ptx',
      text: kernelText(DECLARATIONS, body, '.param .u64 p, .param .u64 c'),
    },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  assert.deepEqual([verdict, findings], ['inconclusive', []]);
});
