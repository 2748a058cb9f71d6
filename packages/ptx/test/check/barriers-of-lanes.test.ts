// Lanes of one warp that come to different named barriers by one instruction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

/** `%r1` is 1 and 2 in turns of the lanes, `%r2` is it in the other order in the second warp. */
const NUMBERS = `mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1; shr.u32 %r2, %r0, 5; xor.b32 %r2, %r1, %r2;
add.u32 %r1, %r1, 1; add.u32 %r2, %r2, 1; setp.eq.u32 %p0, %r0, 0; setp.ge.u32 %p1, %r0, 32;
setp.eq.u32 %p2, %r0, 32; mov.u32 %r3, %ctaid.x;`;

async function resultOf(body: string, blocks = 1) {
  const declarations = '.reg .b32 %r<5>; .reg .pred %p<3>; .shared .align 4 .b32 word;';
  const launch = { grid: [blocks, 1, 1], block: [64, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declarations, `${NUMBERS} ${body} ret;`) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return verdict === 'counterexample' ? findings[0]!.rule : verdict;
}

test('lanes of a warp at two named barriers', async () => {
  assert.equal(await resultOf('barrier.sync %r1, 32;'), 'certified');
  assert.equal(await resultOf('barrier.sync %r2, 32;'), 'certified');
  assert.equal(await resultOf('barrier.sync %r1, 64;'), 'deadlock');
  assert.equal(
    await resultOf('@!%p1 barrier.arrive %r1, 32; @%p1 barrier.sync %r1, 32;'),
    'certified',
  );
  assert.equal(await resultOf('bar.sync %r1, 32;'), 'invalid-operation');
  assert.equal(await resultOf('shl.b32 %r1, %r1, 5; bar.sync 1, %r1;'), 'invalid-operation');
});

test('each lane knows what its own barrier orders', async () => {
  const store = '@%p0 st.shared.u32 [word], 1;';
  const sync = `${store} barrier.sync %r1, 32;`;
  assert.equal(await resultOf(`${sync} @%p2 ld.shared.u32 %r4, [word];`), 'certified');
  assert.notEqual(await resultOf(`${sync} @%p1 ld.shared.u32 %r4, [word];`), 'certified');
});

test('a named barrier that does not exist in one block', async () => {
  const body = 'add.u32 %r3, %r3, 14; bar.sync %r3, 64;';
  assert.equal(await resultOf(body, 2), 'certified');
  assert.equal(await resultOf(body, 4), 'invalid-operation');
});
