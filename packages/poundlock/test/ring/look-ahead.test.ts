// One look at many barriers sees what a look at each would see.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { hasPassed } from '#src/ring/barrier';
import { AHEAD_WORDS, lookAheadOn } from '#src/ring/look-ahead';
import { makeMemory } from '#src/ring/memory';
import { POISON } from '#src/ring/word';

const memory = makeMemory(4096);
const words = new Int32Array(memory.buffer);
const lookAhead = lookAheadOn(memory);
const FIRST = 16;

test('looking ahead ends at the first stage that is not ready, is poisoned, or is none', () => {
  const stages = fc.array(fc.integer(), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(stages, fc.integer(), fc.nat(19), (states, phase, from) => {
      const first = Math.min(from, states.length);
      for (const [stage, state] of states.entries()) words[FIRST + stage * AHEAD_WORDS] = state;
      const byteOf = (stage: number): number => (FIRST + stage * AHEAD_WORDS) * 4;
      let expected = first;
      while (expected < states.length) {
        const state = states[expected]!;
        if ((state & POISON) !== 0 || !hasPassed(state, phase, false)) break;
        expected++;
      }
      assert.equal(lookAhead(byteOf(first), byteOf(states.length), phase), byteOf(expected));
    }),
  );
});
