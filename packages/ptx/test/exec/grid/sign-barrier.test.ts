// The barrier of the grid in cooperative groups: each block adds to a word, the first one as much
// as flips its sign, and waits until the sign is another one than it found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const BLOCKS = 24;
const DECLARED = '.reg .pred %p<6>; .reg .b32 %r<10>; .reg .b64 %rd<6>;';
const SYNC = (name: string): string => `barrier.sync 0; @%p0 bra ${name};
  atom.add.release.gpu.global.u32 %r3, [%rd1], %r2;
  W${name}: ld.acquire.gpu.global.u32 %r4, [%rd1]; xor.b32 %r5, %r4, %r3;
  setp.gt.s32 %p2, %r5, -1; @%p2 bra W${name}; ${name}: barrier.sync 0;`;

async function resultOf(first: string, second: string) {
  const body = `ld.param.u64 %rd0, [data]; ld.param.u64 %rd1, [word]; mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x; setp.ne.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r1, 0;
    selp.b32 %r2, ${0x80000000 - (BLOCKS - 1)}, 1, %p1; mad.lo.u32 %r6, %r1, 32, %r0;
    mul.wide.u32 %rd2, %r6, 4; add.u64 %rd2, %rd0, %rd2; setp.eq.u32 %p3, %r1, ${BLOCKS - 1};
    selp.b64 %rd3, ${-128 * (BLOCKS - 1)}, 128, %p3; add.s64 %rd3, %rd2, %rd3;
    st.global.u32 [%rd2], %r6; ${first} ld.global.u32 %r7, [%rd3]; ${second}
    st.global.u32 [%rd2], %r7; ret;`;
  const launch = {
    grid: [BLOCKS, 1, 1],
    block: [32, 1, 1],
    cooperative: true,
    params: [
      { kind: 'pointer', bytes: 128 * BLOCKS },
      { kind: 'pointer', bytes: 4, int32: [0] },
    ],
  };
  const parameters = '.param .u64 data, .param .u64 word';
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text: kernelText(DECLARED, body, parameters) },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return [verdict, findings[0]?.rule];
}

test('each block reads what its neighbor wrote between two barriers: certified', async () => {
  assert.deepEqual(await resultOf(SYNC('A'), SYNC('B')), ['certified', undefined]);
});

test('no barrier before it reads: a race', async () => {
  assert.deepEqual(await resultOf('', SYNC('B')), ['counterexample', 'race']);
});

test('no barrier before it writes again: a race', async () => {
  assert.deepEqual(await resultOf(SYNC('A'), ''), ['counterexample', 'race']);
});
