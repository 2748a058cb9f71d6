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

test('a time-out says after how many launches, and in which one', async () => {
  // Each look at the clock is a millisecond.
  let clock = 0;
  const options = { now: () => clock++, timeoutMs: 40 };
  const { verdict, reason } = await verdictOf(exchange({ directives: '' }), {}, options);
  assert.equal(verdict, 'inconclusive');
  const bound = 'the bound timeout of 40 ms was reached after';
  assert.match(reason ?? '', new RegExp(`^${bound} \\d+ launch(es)?, in block \\d+.*; give `));
});
