// Loops that unknown data ends, with accesses to shared memory and nothing else: a binary search.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<12>; .reg .pred %p<6>;
  .shared .align 4 .b8 keys[256]; .shared .align 4 .b8 found[256];`;

/** `%r2` is the thread's key, `%r3` its place in what is found, `%r4` that in the other warp. */
const BEGIN = `mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, keys; add.u32 %r2, %r2, %r1;
  mov.u32 %r3, found; xor.b32 %r4, %r1, 128; add.u32 %r4, %r3, %r4; add.u32 %r3, %r3, %r1;
  st.shared.u32 [%r2], %r0;`;

/** Each thread looks for a place that data decides. */
const SEARCH = (round: string): string => `mov.u32 %r5, 0; mov.u32 %r6, 64; mov.u32 %r7, keys;
  FIND: setp.ge.u32 %p0, %r5, %r6; @%p0 bra OVER;
  add.u32 %r8, %r5, %r6; shr.u32 %r8, %r8, 1; shl.b32 %r9, %r8, 2; add.u32 %r9, %r7, %r9;
  ${round} add.u32 %r11, %r8, 1; setp.lt.f32 %p1, %r10, %r0;
  selp.b32 %r5, %r11, %r5, %p1; selp.b32 %r6, %r6, %r8, %p1; bra FIND; OVER:`;
const READ = 'ld.shared.u32 %r10, [%r9];';
const BARRIER = 'bar.sync 0;';

async function verdictOf(body: string): Promise<string> {
  const text = kernelText(DECLARATIONS, `${BEGIN} ${body} ret;`);
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  return (await check(kernel)).verdict;
}

test('reads of a search are ordered by the barriers around it', async () => {
  const search = SEARCH(READ);
  assert.equal(await verdictOf(`${BARRIER} ${search} ${BARRIER}`), 'certified');
  assert.notEqual(await verdictOf(search), 'certified');
  const again = 'st.shared.u32 [%r2], %r0;';
  assert.equal(await verdictOf(`${BARRIER} ${search} ${BARRIER} ${again}`), 'certified');
  assert.notEqual(await verdictOf(`${BARRIER} ${search} ${again}`), 'certified');
});

test('a store in a round is one that may happen', async () => {
  const own = SEARCH(`${READ} st.shared.u32 [%r3], %r8;`);
  const read = 'ld.shared.u32 %r5, [%r4];';
  assert.equal(await verdictOf(`${BARRIER} ${own} ${BARRIER} ${read}`), 'certified');
  assert.notEqual(await verdictOf(`${BARRIER} ${own} ${read}`), 'certified');
  const other = SEARCH(`${READ} st.shared.u32 [%r4], %r8;`);
  assert.notEqual(
    await verdictOf(`${BARRIER} ${other} ${'ld.shared.u32 %r5, [%r3];'}`),
    'certified',
  );
});

test('an address that only some rounds have is none that all have', async () => {
  // The branch within a round decides the address: it may be any of the variable.
  const branch = `${READ} mov.u32 %r11, %r3; setp.gt.f32 %p2, %r10, 0f40000000; @%p2 bra SAME;
    mov.u32 %r11, %r4; SAME: st.shared.u32 [%r11], %r8;`;
  const read = 'ld.shared.u32 %r5, [%r3];';
  assert.notEqual(await verdictOf(`${BARRIER} ${SEARCH(branch)} ${read}`), 'certified');
  // One round after another: the address of the next round is that of the other warp.
  const turn = `${READ} st.shared.u32 [%r3], %r8; mov.u32 %r3, %r4;`;
  assert.notEqual(await verdictOf(`${BARRIER} ${SEARCH(turn)} ${read}`), 'certified');
});

test('a barrier in a round is no access', async () => {
  const counted = 'bar.sync 0, 64;';
  assert.notEqual(await verdictOf(`${counted} ${SEARCH(`${READ} ${counted}`)}`), 'certified');
});
