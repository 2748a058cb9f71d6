// What an address may be derived from: parameters, indices, and pointers that come from memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEntry } from '#src/kernel/entry';
import { AddressOrigins } from '#src/flow/address-origin';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../kernel-text.ts';

const HEAD = 'ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [more]; mov.u32 %r1, %tid.x;';

/** The origins of the address of the last store. */
function originsOf(...lines: readonly string[]): string[] | null {
  const body = [HEAD, ...lines, 'st.global.u32 [%rd9], %r1;', 'ret;'].join('\n');
  const text = kernelText(
    '.reg .b32 %r<9>; .reg .b64 %rd<10>;',
    body,
    '.param .u64 data, .param .u64 more',
  );
  const code = findEntry(parsePtx(text, 'kernel.ptx'), '');
  const store = code.instructions.find(({ opcode }) => opcode.startsWith('st.'))!;
  const found = new AddressOrigins(code).of(store.index, store.operands[0]!);
  return found === null ? null : [...found].map((name) => name.replace(/^.*\//, '')).toSorted();
}

test('an address comes from the parameters that it is computed of', () => {
  assert.deepEqual(originsOf('mul.wide.u32 %rd3, %r1, 4;', 'add.s64 %rd9, %rd1, %rd3;'), ['data']);
  assert.deepEqual(originsOf('add.s64 %rd9, %rd1, %rd2;'), ['data', 'more']);
});

test('what was loaded and then widened is an index', () => {
  const lines = ['ld.global.u32 %r2, [%rd2];', 'mul.wide.u32 %rd3, %r2, 4;'];
  assert.deepEqual(originsOf(...lines, 'add.s64 %rd9, %rd1, %rd3;'), ['data']);
});

test('a pointer that comes from memory may point anywhere, however it gets there', () => {
  assert.equal(originsOf('ld.global.u64 %rd9, [%rd1];'), null);
  assert.equal(originsOf('ld.global.u64 %rd3, [%rd1];', 'add.s64 %rd9, %rd3, 4;'), null);
  const parts = 'ld.shared.v2.u32 {%r2, %r3}, [%r1];';
  assert.equal(originsOf(parts, 'mov.b64 %rd9, {%r2, %r3};'), null);
});
