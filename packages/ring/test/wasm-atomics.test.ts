// The WebAssembly barrier operations match the JavaScript ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { hasPassed } from '#src/barrier';
import { createSharedMemory } from '#src/memory';
import { AHEAD_STRIDE, wasmAtomicsFor } from '#src/wasm-atomics';
import { LOCK, PHASE, POISON, SIMPLE, SLEEPER } from '#src/futex-word';

const memory = createSharedMemory(4096);
const words = new Int32Array(memory.buffer);
const { lookAhead, arriveLast } = wasmAtomicsFor(memory);
const FIRST = 16;

test('lookAhead ends at the first stage that is not ready or is poisoned, or at the end', () => {
  const stages = fc.array(fc.integer(), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(stages, fc.integer(), fc.nat(19), (states, phase, from) => {
      const first = Math.min(from, states.length);
      for (const [stage, state] of states.entries()) words[FIRST + stage * AHEAD_STRIDE] = state;
      const byteOf = (stage: number): number => (FIRST + stage * AHEAD_STRIDE) * 4;
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

test('an arrival completes the phase of a simple barrier and changes no other', () => {
  const marks = fc.integer({ min: 0, max: 31 });
  fc.assert(
    fc.property(fc.integer(), marks, fc.integer(), fc.boolean(), (state, bits, other, isRight) => {
      const word = (state & ~31) | bits | 0;
      const guess = ((isRight ? state : other) & ~31) | SIMPLE;
      words[FIRST] = word;
      const seen = arriveLast(FIRST * 4, guess);
      const isOpen = (word & (SIMPLE | LOCK | POISON)) === SIMPLE;
      assert.equal(seen, isOpen ? word : -1);
      assert.equal(words[FIRST], isOpen ? ((word & ~SLEEPER) + PHASE) | 0 : word);
    }),
  );
});
