// No random program is accepted by the calculus and wrong on some path, and few right ones are
// refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from './compare.ts';

test('no program of 400 is accepted and wrong; of the right ones few are refused', () => {
  const { unsound, bad, right, refused } = compare(400, 0);
  assert.deepEqual(unsound, []);
  assert.ok(bad > 80 && right > 80, `${bad} wrong, ${right} right`);
  assert.ok(refused / right < 0.05, `${refused} of ${right} right programs are refused`);
});

test('programs that were accepted once, and are wrong', () => {
  // An order with one of a long list; a bound that is hit while a loop is tried.
  for (const seed of [2_227_520, 2_324_108]) {
    const { unsound, bad } = compare(1, seed);
    assert.deepEqual([unsound, bad], [[], 1]);
  }
});
