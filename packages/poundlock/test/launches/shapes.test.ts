// tier: deep
// Kernels whose block the text does not say: it is solved, or tried, or a guess.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange } from './texts.ts';
import { verdictOf } from './verdict-of.ts';

test('under a guessed block nothing is an error, and a right kernel is certified', async () => {
  const wrong = await verdictOf(exchange({ directives: '', isRight: false }));
  assert.equal(wrong.verdict, 'inconclusive');
  assert.match(wrong.reason ?? '', /^possible error\[race\] under block \d+, .*: give --block$/);
  const right = await verdictOf(exchange({ directives: '' }));
  assert.equal(right.verdict, 'certified');
  assert.equal(right.launch?.block.from, 'tried');
  const user = await verdictOf(exchange({ directives: '', isRight: false }), {
    block: [64, 1, 1],
  });
  assert.equal(user.verdict, 'counterexample');
});

test('the counts of named barriers solve the block', async () => {
  const barrier = 'mov.u32 %r9, 1; mov.u32 %r10, 96; bar.sync %r9, %r10;';
  const result = await verdictOf(exchange({ directives: '', barrier }));
  assert.equal(result.verdict, 'certified');
  assert.deepEqual(result.launch?.block, { value: [96, 1, 1], from: 'solved' });
});
