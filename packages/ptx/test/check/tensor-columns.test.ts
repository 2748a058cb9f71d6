// Allocations of tensor memory in PTX: what is used is allocated, and what is asked for is free.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const alloc = (word: string, columns: number): string =>
  `tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [${word}], ${columns};`;
const free = (word: string, columns: number): string =>
  `ld.shared.u32 %r1, [${word}]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, ${columns};`;
const RELINQUISH = 'tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;';
const load = (column: string): string =>
  `tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [${column}]; tcgen05.wait::ld.sync.aligned;`;

/** Each warp executes a text. */
async function resultOf(...warps: readonly string[]) {
  const bodies = warps.map((body, warp) => {
    return `setp.ne.u32 %p0, %r4, ${warp}; @%p0 bra NEXT${warp}; ${body}\nNEXT${warp}:`;
  });
  const body = `mov.u32 %r0, %tid.x; shr.u32 %r4, %r0, 5; mov.u32 %r5, 64;\n${bodies.join('\n')}\nret;`;
  const declarations =
    '.reg .b32 %r<8>; .reg .pred %p<2>; .shared .align 4 .b32 a; .shared .align 4 .b32 b;';
  const launch = { grid: [1, 1, 1], block: [32 * warps.length, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declarations, body) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, reason } = await check(kernel);
  return verdict === 'counterexample' ? findings[0]!.rule : `${verdict} ${reason ?? ''}`.trim();
}

test('columns are allocated before they are used', async () => {
  const loaded = `ld.shared.u32 %r1, [a]; ${load('%r1')}`;
  assert.equal(await resultOf(`${alloc('a', 32)} ${loaded} ${free('a', 32)}`), 'certified');
  assert.equal(await resultOf(load('%r5')), 'tmem-use-after-free');
  const other = `${alloc('a', 32)} ${load('%r5')} ${free('a', 32)}`;
  assert.equal(await resultOf(other), 'tmem-use-after-free');
  const twice = `${alloc('a', 32)} ${free('a', 32)} ${free('a', 32)}`;
  assert.equal(await resultOf(twice), 'invalid-operation');
  const late = `${alloc('a', 32)} ${free('a', 32)} ${loaded}`;
  assert.equal(await resultOf(late), 'tmem-use-after-free');
});

test('all columns of a transfer are allocated', async () => {
  const at = (column: number, text: string): string =>
    `${alloc('a', 32)} ld.shared.u32 %r1, [a]; add.u32 %r1, %r1, ${column}; ${text} ${free('a', 32)}`;
  const wide = `tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r2, %r3}, [%r1]; tcgen05.wait::ld.sync.aligned;`;
  const store = `tcgen05.st.sync.aligned.32x32b.x2.b32 [%r1], {%r5, %r5}; tcgen05.wait::st.sync.aligned;`;
  const split = `tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%r2}, [%r1], 16; tcgen05.wait::ld.sync.aligned;`;
  for (const [last, text] of [
    [30, wide],
    [30, store],
    [15, split],
  ] as const) {
    assert.equal(await resultOf(at(last, text)), 'certified');
    assert.equal(await resultOf(at(last + 1, text)), 'tmem-use-after-free');
  }
  // Two allocations beside each other.
  const two = `${alloc('a', 32)} ${alloc('b', 32)} ld.shared.u32 %r1, [a]; add.u32 %r1, %r1, 31;
    ${wide} ${free('a', 32)} ${free('b', 32)}`;
  assert.equal(await resultOf(two), 'certified');
});

test('so many columns as there are', async () => {
  const twice = (one: number, two: number): string =>
    `${alloc('a', one)} ${alloc('b', two)} ${free('a', one)} ${free('b', two)}`;
  assert.equal(await resultOf(twice(256, 256)), 'certified');
  assert.equal(await resultOf(twice(512, 32)), 'deadlock');
  assert.equal(await resultOf(`${alloc('a', 1024)}`), 'capacity');
  assert.equal(await resultOf(`${alloc('a', 48)} ${free('a', 48)}`), 'invalid-operation');
});

test('an allocation may wait until another warp has freed its columns', async () => {
  const one = `${alloc('a', 512)} ${free('a', 512)}`;
  const two = `${alloc('b', 512)} ${free('b', 512)}`;
  assert.match(await resultOf(one, two), /^inconclusive which columns it gets/);
  assert.equal(await resultOf(alloc('a', 512), two), 'deadlock');
});

test('nothing is allocated after the right to is given up', async () => {
  const right = `${alloc('a', 32)} ${RELINQUISH} ${free('a', 32)}`;
  assert.equal(await resultOf(right), 'certified');
  assert.equal(await resultOf(`${RELINQUISH} ${alloc('a', 32)} ${free('a', 32)}`), 'capacity');
});

test('transfers of 16 lanes reach one half of the lanes of a warp', async () => {
  const store = `tcgen05.st.sync.aligned.16x64b.x1.b32`;
  const two = (shift: number): string => `${alloc('a', 32)} ld.shared.u32 %r1, [a];
    add.u32 %r2, %r1, ${shift}; ${store} [%r1], {%r5}; ${store} [%r2], {%r5};
    tcgen05.wait::st.sync.aligned; ${free('a', 32)}`;
  assert.equal(await resultOf(two(16 << 16)), 'certified');
  assert.equal(await resultOf(two(0)), 'race');
  // A shape of 32 lanes reaches both halves.
  const whole = two(16 << 16).replace('st.sync.aligned.16x64b', 'st.sync.aligned.32x32b');
  assert.equal(await resultOf(whole), 'race');
});
