// The logarithm and exponential of the models agree with the engine's to the last digits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { exp, ln } from '#src/simulate/portable-math';

const SEED = 20_261_120;

test('ln and exp are as good as the engine has them', () => {
  const value = fc.double({ min: -600, max: 600, noNaN: true });
  fc.assert(
    fc.property(value, (x) => {
      assert.ok(Math.abs(exp(x) / Math.exp(x) - 1) < 1e-12, `exp(${x})`);
      assert.ok(Math.abs(ln(Math.exp(x)) - x) < 1e-10, `ln(e^${x})`);
    }),
    { seed: SEED },
  );
  assert.equal(exp(-1e6), 0);
  assert.equal(ln(1), 0);
});
