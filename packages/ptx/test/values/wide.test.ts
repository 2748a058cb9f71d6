// 64-bit arithmetic in two halves against BigInt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import * as wide from '#src/values/wide';
import type { Wide } from '#src/values/wide';

const word = fc
  .oneof(fc.nat(), fc.constantFrom(0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff))
  .map((value) => value >>> 0);
const big = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low);
const M64 = (1n << 64n) - 1n;

type Binary = (out: Wide, aLow: number, aHigh: number, bLow: number, bHigh: number) => void;

const OPERATIONS: Readonly<Record<string, readonly [Binary, (a: bigint, b: bigint) => bigint]>> = {
  add: [wide.add, (a, b) => a + b],
  subtract: [wide.subtract, (a, b) => a - b],
  multiply: [wide.multiply, (a, b) => a * b],
  product: [
    (out, a, _1, b) => wide.product(out, a, b),
    (a, b) => (a & 0xffff_ffffn) * (b & 0xffff_ffffn),
  ],
  signedProduct: [
    (out, a, _1, b) => wide.signedProduct(out, a, b),
    (a, b) => BigInt.asIntN(32, a) * BigInt.asIntN(32, b),
  ],
  shiftLeft: [
    (out, low, high, count) => wide.shiftLeft(out, low, high, count % 70),
    (a, b) => a << BigInt(Number(b & 0xffff_ffffn) % 70),
  ],
  shiftRight: [
    (out, low, high, count) => wide.shiftRight(out, low, high, count % 70),
    (a, b) => a >> BigInt(Number(b & 0xffff_ffffn) % 70),
  ],
  shiftRightSigned: [
    (out, low, high, count) => wide.shiftRightSigned(out, low, high, count % 70),
    (a, b) => BigInt.asIntN(64, a) >> BigInt(Number(b & 0xffff_ffffn) % 70),
  ],
};

for (const [name, [run, expected]] of Object.entries(OPERATIONS)) {
  test(`${name} agrees with BigInt`, () => {
    fc.assert(
      fc.property(word, word, word, word, (aLow, aHigh, bLow, bHigh) => {
        const out = { low: 0, high: 0 };
        run(out, aLow, aHigh, bLow, bHigh);
        assert.equal(big(out.low, out.high), expected(big(aLow, aHigh), big(bLow, bHigh)) & M64);
      }),
      { numRuns: 500 },
    );
  });
}

test('comparisons agree with BigInt', () => {
  fc.assert(
    fc.property(word, word, word, word, (aLow, aHigh, bLow, bHigh) => {
      const a = big(aLow, aHigh);
      const b = big(bLow, bHigh);
      assert.equal(wide.isBelow(aLow, aHigh, bLow, bHigh), a < b);
      assert.equal(
        wide.isBelowSigned(aLow, aHigh, bLow, bHigh),
        BigInt.asIntN(64, a) < BigInt.asIntN(64, b),
      );
    }),
  );
});
