// Bounds of quotients by constants, of their multiples and of what these leave hold for all values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  between,
  both,
  difference,
  exactly,
  highProduct,
  product,
  quotient,
  sum,
} from '#src/values/reach';
import type { Reach } from '#src/values/reach';

const BITS = 32;

/** A value with its bounds. */
interface Bounded {
  readonly of: (x: number) => number;
  readonly reach: Reach;
}

/** What follows from a value between two numbers. */
function derived(from: number, to: number, divisor: number): Readonly<Record<string, Bounded>> {
  const x = between(from, to, null);
  const magic = Math.ceil(2 ** BITS / divisor);
  const high = highProduct(x, exactly(magic));
  const back = product(high, exactly(divisor));
  const unit = 2 ** Math.floor(Math.log2(divisor));
  const cut = both(x, exactly(2 ** BITS - unit), BITS);
  const upper = (value: number): number => Number((BigInt(value) * BigInt(magic)) >> 32n);
  const floor = (value: number): number => Math.floor(value / unit) * unit;
  return {
    high: { of: upper, reach: high },
    back: { of: (value) => upper(value) * divisor, reach: back },
    rest: { of: (value) => value - upper(value) * divisor, reach: difference(x, back) },
    negative: { of: (value) => upper(value) * divisor - value, reach: difference(back, x) },
    shifted: { of: (value) => upper(value) >> 3, reach: quotient(high, 8) },
    total: {
      of: (value) => upper(value) + value + 5,
      reach: sum(sum(high, x), exactly(5)),
    },
    cut: { of: floor, reach: cut },
    low: { of: (value) => value - floor(value), reach: difference(x, cut) },
  };
}

test('bounds of quotients hold', () => {
  for (const divisor of [3, 7, 56, 196, 1000])
    for (const [from, to] of [
      [0, 4000],
      [123, 9000],
      [50_000, 58_000],
    ] as const)
      for (const [name, { of, reach: own }] of Object.entries(derived(from, to, divisor)))
        for (let x = from; x <= to; x++) {
          const value = of(x);
          const text = `${name} of ${x} by ${divisor}: ${own.least} <= ${value} <= ${own.most}`;
          assert.ok(own.least <= value && value <= own.most, text);
        }
});

test('what a multiple of a quotient leaves is less than the divisor', () => {
  const { rest, low } = derived(0, 1_000_000, 196);
  assert.ok(rest!.reach.least >= -196 && rest!.reach.most <= 2 * 196);
  assert.deepEqual([low!.reach.least, low!.reach.most], [0, 127]);
});
