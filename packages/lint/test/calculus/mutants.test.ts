// tier: deep
// Each rule of the calculus is needed: weakened, it accepts a program that is wrong on some path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES } from '#src/calculus/weaken';
import { compare } from './compare.ts';

/** No program was found that needs them, yet. */
const OPEN: ReadonlySet<string> = new Set([
  'drain-rest',
  'flag-kept',
  'keeps-ignored',
  'parts-lost',
]);

for (const rule of RULES) {
  test(`${rule}: a wrong program is accepted without it`, { todo: OPEN.has(rule) }, () => {
    const { unsound } = compare(OPEN.has(rule) ? 4_000 : 60_000, 0, rule);
    assert.equal(unsound.length, 1);
  });
}

test('no program of 10,000 is accepted and wrong', () => {
  assert.deepEqual(compare(10_000, 50_000).unsound, []);
});
