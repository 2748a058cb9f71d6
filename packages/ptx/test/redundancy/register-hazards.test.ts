// Registers of tensor-core work: what a fence or a wait that is left out leaves open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEntry } from '#src/kernel/entry';
import { registerHazards } from '#src/redundancy/register-hazards';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../kernel-text.ts';

const REGISTERS = '.reg .pred %p<3>; .reg .b32 %r<3>; .reg .f32 %f<9>; .reg .b64 %rd<3>;';
const FENCE = 'wgmma.fence.sync.aligned;';
const COMMIT = 'wgmma.commit_group.sync.aligned;';
const WAIT = 'wgmma.wait_group.sync.aligned 0;';
const work = (shape: string) =>
  `wgmma.mma_async.sync.aligned.${shape}.f32.f16.f16 {%f1,%f2,%f3,%f4}, %rd1, %rd2, 1, 1, 1, 0, 0;`;
const SMALL = work('m64n8k16');

function hazardsOf(...lines: readonly string[]): string[] {
  const text = kernelText(REGISTERS, [...lines, 'ret;'].join('\n'));
  const code = findEntry(parsePtx(text, 'kernel.ptx'), '');
  return [...registerHazards(code).values()].map((hazard) => hazard.text);
}

test('a fence before the first work, and a wait before its result', () => {
  assert.deepEqual(hazardsOf(FENCE, SMALL, COMMIT, WAIT, 'add.f32 %f5, %f1, %f2;'), []);
  assert.match(hazardsOf(SMALL, COMMIT, WAIT)[0] ?? '', /without wgmma.fence/);
  assert.match(
    hazardsOf(FENCE, SMALL, COMMIT, 'add.f32 %f5, %f1, %f2;')[0] ?? '',
    /before the wait/,
  );
});

test('registers that threads wrote need a fence before more work', () => {
  const first = [FENCE, SMALL, COMMIT, WAIT];
  assert.deepEqual(hazardsOf(...first, SMALL), []);
  assert.equal(hazardsOf(...first, 'mov.f32 %f1, 0f00000000;', SMALL).length, 1);
  assert.deepEqual(hazardsOf(...first, 'mov.f32 %f1, 0f00000000;', FENCE, SMALL), []);
});

test('work of another shape needs a fence between, on all ways there', () => {
  const other = work('m64n16k16');
  assert.match(hazardsOf(FENCE, SMALL, other)[0] ?? '', /several shapes/);
  assert.deepEqual(hazardsOf(FENCE, SMALL, FENCE, other), []);
  const either = [FENCE, '@%p1 bra two;', SMALL, 'bra on;', 'two:', other, 'on:', SMALL];
  assert.match(hazardsOf(...either)[0] ?? '', /several shapes/);
});
