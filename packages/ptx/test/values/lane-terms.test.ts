// Terms of all lanes of a warp are those that each lane has by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { LaneTerms } from '#src/values/lane-terms';
import { ALL_LANES, LANES, RegisterFile } from '#src/values/register-file';
import { isOutOfOrder, mix, start, vary } from '#src/values/terms';
import type { Wide } from '#src/values/wide';

const [FIRST, SECOND, RESULT] = [0, 1, 2];
const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const value = fc.record({
  low: fc.oneof(fc.nat({ max: 3 }), word),
  high: fc.oneof(fc.nat({ max: 1 }), word),
});
const written = fc.record({
  register: fc.constantFrom(FIRST, SECOND),
  value,
  isKnown: fc.boolean(),
  isVarying: fc.boolean(),
  mask: fc.oneof(fc.constant(ALL_LANES), fc.integer()),
});

/** The term of two registers and a number in one lane. */
function termOf(registers: RegisterFile, lane: number, mayChange: boolean): Wide {
  const term: Wide = { low: 0, high: 0 };
  const inputs = [FIRST, SECOND].map((register) => {
    const input: Wide = { low: 0, high: 0 };
    return { isKnown: registers.read(register, lane, input) ? 1 : 0, ...input };
  });
  const [one, other] = inputs as [(typeof inputs)[0], (typeof inputs)[0]];
  if (mayChange && isOutOfOrder(one.low, one.high, other.low, other.high)) inputs.reverse();
  start(term, 7);
  for (const { low, high, isKnown } of inputs) mix(term, low, high, isKnown);
  mix(term, 3, 0, 0);
  return term;
}

test('terms of lanes are built together as one by one', () => {
  const lists = fc.array(written, { maxLength: 5 });
  const property = fc.property(lists, fc.integer(), fc.boolean(), (list, mask, mayChange) => {
    const registers = new RegisterFile(3);
    for (const { register, value, isKnown, isVarying, mask: lanes } of list) {
      const own = { ...value, high: isKnown ? value.high : value.high & 0x7fff_ffff };
      if (!isKnown && isVarying) vary(own);
      registers.setUniform(register, own, isKnown, lanes, ALL_LANES);
    }
    const terms = new LaneTerms();
    const seed: Wide = { low: 0, high: 0 };
    start(seed, 7);
    terms.start(seed);
    if (mayChange) terms.mixBoth(registers, FIRST, SECOND, mask);
    else for (const register of [FIRST, SECOND]) terms.mix(registers, register, mask);
    terms.mixNumber(3, mask);
    terms.store(registers, registers.openLanes(RESULT, mask, ALL_LANES), mask);
    for (let lane = 0; lane < LANES; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const slot = RESULT * LANES + lane;
      const found = { low: registers.low[slot], high: registers.high[slot] };
      assert.deepEqual(found, termOf(registers, lane, mayChange), `lane ${lane}`);
    }
  });
  fc.assert(property, { numRuns: 500, seed: 20_261_129 });
});
