// `wmma.load` and `wmma.store` access the lines of a matrix in shared memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = '.reg .b32 %r<20>; .reg .pred %p<4>; .shared .align 16 .b8 words[4096];';
/** Each thread stores a word of `words`. */
const STORE = `mov.u32 %r1, %tid.x; mov.u32 %r10, words; shl.b32 %r11, %r1, 2;
  add.u32 %r11, %r11, %r10; st.shared.u32 [%r11], %r1;`;
const FRAGMENT = '{%r3,%r4,%r5,%r6,%r7,%r8,%r9,%r14}';
const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [] };

async function verdictOf(body: string): Promise<string> {
  const text = kernelText(DECLARED, `${body} ret;`);
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel, { sizes: 'requested' });
  return findings[0]?.rule ?? verdict;
}

const load = (matrix: string, from: string, stride: number): string =>
  `wmma.load.${matrix}.m16n16k16.shared.f16 ${FRAGMENT}, [${from}], ${stride};`;

test('a matrix that others have stored is loaded after a barrier', async () => {
  const matrix = load('a.sync.aligned.row', '%r10', 16);
  assert.equal(await verdictOf(`${STORE} bar.sync 0; ${matrix}`), 'certified');
  assert.equal(await verdictOf(`${STORE} ${matrix}`), 'race');
});

test('lines between which others store are no race', async () => {
  // Each warp loads 16 lines of 32 bytes, 64 bytes apart: those of the other are between them.
  const half = `mov.u32 %r1, %tid.x; mov.u32 %r10, words; shr.u32 %r2, %r1, 5; shl.b32 %r2, %r2, 5;
    add.u32 %r12, %r10, %r2;`;
  const store = `wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%r12], {%r3,%r4,%r5,%r6}, 32;`;
  assert.equal(await verdictOf(half + store), 'certified');
  assert.equal(await verdictOf(half + store.replace(', 32;', ', 24;')), 'race');
});

test('the stride of a matrix counts elements, of its columns where these are contiguous', async () => {
  // A matrix b of 16 lines of 16 halves from byte 256 on: the words of the first warp end at 128.
  const words = `${STORE.replace('st.shared.u32', '@%p1 st.shared.u32').replace(
    'mov.u32 %r10',
    'setp.lt.u32 %p1, %r1, 32; mov.u32 %r10',
  )} add.u32 %r12, %r10, 256;`;
  assert.equal(await verdictOf(words + load('b.sync.aligned.col', '%r12', 16)), 'certified');
  assert.equal(await verdictOf(words + load('b.sync.aligned.col', '%r10', 16)), 'race');
});

test('a matrix behind the end of shared memory is not certified', async () => {
  const matrix = load('a.sync.aligned.row', '%r10+4000', 16);
  assert.equal(await verdictOf(`mov.u32 %r10, words; ${matrix}`), 'invalid-operation');
});
