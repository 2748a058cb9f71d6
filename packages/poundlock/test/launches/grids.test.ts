// tier: deep
// The grid of a launch that is not known: which blocks differ, and where they meet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange } from './texts.ts';
import { verdictOf } from './verdict-of.ts';

/** Stores a word of each thread at an offset from `out`, which `%r9` has. */
const STORE = `ld.param.u64 %rd1, [out]; cvt.u64.u32 %rd2, %r9; add.u64 %rd3, %rd1, %rd2;
  add.u64 %rd3, %rd3, 0; st.global.u32 [%rd3], %r8;`;
/** The offset of a thread in its row. */
const OWN = 'add.u32 %r9, %r9, %r2;';

test('blocks that all do the same are one', async () => {
  const result = await verdictOf(exchange({ inLoop: `mov.u32 %r9, 0; ${OWN} ${STORE}` }));
  assert.equal(result.verdict, 'certified');
  assert.deepEqual(result.launch?.grid, { value: [1, 1, 1], from: 'tried' });
});

test('rows whose width is a guess may overlap: that is no error', async () => {
  const wide = 'mov.u32 %r9, %ctaid.x; mul.lo.u32 %r9, %r9, %r20; shl.b32 %r9, %r9, 2;';
  const between = await verdictOf(exchange({ inLoop: `${wide} ${OWN} ${STORE}` }));
  assert.equal(between.verdict, 'certified');
  const within = `shr.u32 %r9, %r1, 5; mul.lo.u32 %r9, %r9, %r20; and.b32 %r10, %r1, 31;
    add.u32 %r9, %r9, %r10; shl.b32 %r9, %r9, 2;`;
  const threads = await verdictOf(
    exchange({ inLoop: `${within} add.u32 %r8, %r8, %r1; ${STORE}` }),
  );
  assert.equal(threads.verdict, 'certified');
  assert.match(threads.launch!.preconditions.join('\n'), /with these numbers/);
});

test('blocks that meet whatever the numbers are may be too many for the kernel', async () => {
  const pair = 'mov.u32 %r9, %ctaid.x; shr.u32 %r9, %r9, 1; shl.b32 %r9, %r9, 8;';
  const text = exchange({ inLoop: `${pair} ${OWN} add.u32 %r8, %r8, %ctaid.x; ${STORE}` });
  const guessed = await verdictOf(text);
  assert.equal(guessed.verdict, 'inconclusive');
  assert.match(guessed.reason!, /^possible error\[race\] in a grid of 8, .*: give --grid$/);
  const known = await verdictOf(text, { grid: [2, 1, 1] });
  assert.equal(known.verdict, 'counterexample');
});
