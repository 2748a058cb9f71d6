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
