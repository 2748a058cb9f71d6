// Bounds of quotients by constants, of their multiples and of what these leave hold for all values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { both } from '#src/values/reach-of-bits';
import {
  between,
  difference,
  exactly,
  highProduct,
  product,
  quotient,
  remainder,
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

test('what is divided comes back from its quotient and its remainder', () => {
  const x = between(0, 1_000_000, new Map([[0, 64]]));
  const threefold = (by: number): Reach =>
    sum(product(quotient(x, by), exactly(3 * by)), product(remainder(x, by), exactly(3)));
  for (const by of [7, 24, 50_257]) {
    assert.deepEqual(threefold(by).moves, new Map([[0, 192]]));
    assert.equal(sum(product(quotient(x, by), exactly(by - 1)), remainder(x, by)).moves, null);
  }
  // As planes, rows and columns, however these are found.
  const [row, plane] = [quotient(x, 32), quotient(x, 640)];
  const ofPlane = difference(x, product(plane, exactly(640)));
  for (const ofRow of [
    remainder(row, 20),
    quotient(ofPlane, 32),
    quotient(remainder(x, 640), 32),
  ]) {
    const rows = sum(product(plane, exactly(20)), ofRow);
    assert.deepEqual(sum(product(rows, exactly(32)), remainder(x, 32)).moves, x.moves);
    // Rows of another width are as far apart as 32 divides what moves them.
    assert.equal(sum(product(rows, exactly(31)), remainder(x, 32)).moves?.get(0), 62);
  }
});

test('sums of quotients have the bounds of their values', () => {
  for (const [a, b, c] of [
    [7, 3, 5],
    [12, 4, 3],
    [12, 12, 1],
    [10, 5, 4],
  ] as const) {
    const x = between(0, 500, null);
    const rest = remainder(x, a);
    const all: Record<string, Bounded> = {
      inner: { of: (n) => Math.floor((n % a) / b), reach: quotient(rest, b) },
      outer: {
        of: (n) => Math.floor(n / a) * c + Math.floor((n % a) / b),
        reach: sum(product(quotient(x, a), exactly(c)), quotient(rest, b)),
      },
      both: {
        of: (n) => Math.floor(Math.floor(n / b) / c) * (b * c) + (n % (b * c)),
        reach: sum(product(quotient(quotient(x, b), c), exactly(b * c)), remainder(x, b * c)),
      },
      less: { of: (n) => n - (n % a), reach: difference(x, rest) },
    };
    for (const [name, { of, reach: own }] of Object.entries(all))
      for (let n = 0; n <= 500; n++)
        assert.ok(own.least <= of(n) && of(n) <= own.most, `${name} of ${n} by ${a}, ${b}, ${c}`);
  }
});
