// tier: deep
// Each rule of the calculus is needed: weakened, it accepts a program that is wrong on some path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES } from '#src/calculus/weaken';
import { compare } from './compare.ts';
import { WIDE } from './random.ts';

/** The first random program that needs each rule, as `mutants.ts` finds it. */
const NEEDED_BY: Readonly<Record<(typeof RULES)[number], number>> = {
  'use-nothrow': 51,
  'no-abandon': 17_892,
  'no-lend': 9,
  'view-outlives': 7_695,
  'alias-lost': 141,
  'push-copies': 825,
  'finally-normal': 22,
  'unknown-borrows': 147,
  overwrite: 4,
  'next-on-normal': 16_354,
  'loop-once': 72,
  'drain-rest': WIDE + 788,
  'same-argument': 3_107,
  'acquire-nothrow': 165,
  'array-dropped': 332,
  'dead-field': 52,
  'result-gone': 523,
  'no-interleaving': 128,
  'parts-lost': WIDE + 1_169,
  'dead-element': 5_353,
  'closure-twice': 8_264,
  'flag-stored': 1_948,
  'before-ignored': 10_455,
  'keeps-ignored': WIDE + 2_797,
};

for (const rule of RULES) {
  test(`${rule}: a wrong program is accepted without it`, () => {
    const seed = NEEDED_BY[rule];
    assert.deepEqual(compare(1, seed, rule).unsound, [seed]);
    assert.deepEqual(compare(1, seed).unsound, []);
  });
}

test('no program of 12,000 is accepted and wrong', () => {
  assert.deepEqual(compare(7_000, 50_000).unsound, []);
  assert.deepEqual(compare(5_000, WIDE).unsound, []);
});
