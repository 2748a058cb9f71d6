// The journal lists every word that a move has written, and bringing a move's state to its
// canonical form does what bringing a whole state to it does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Packing } from '#src/check/index';
import { Program, Unfolding } from '@poundlock/core/internal/program';
import { copyState, newState, System } from '@poundlock/core/internal/system';
import { randomProgram, toKernel, type DullProgram } from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from '../fuzz/runs.ts';

const MOST_MOVES = 60;

test('what a move changes is in the journal, and restored by it', (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`);
  let moves = 0;
  fc.assert(
    fc.property(randomProgram, fc.infiniteStream(fc.nat()), (random, draws) => {
      moves += walkRandomly(random, draws);
    }),
    sized(SEED, RUNS / 4),
  );
  t.diagnostic(`${moves} moves`);
  assert.ok(moves > RUNS);
});

/** Makes random moves until something is wrong; returns how many. */
function walkRandomly(random: DullProgram, draws: Iterable<number>): number {
  const program = new Program(toKernel(random));
  const system = new System(program, (_, machine) => new Unfolding(program, machine));
  const { machine, registers } = system;
  const { journal } = machine;
  const packing = new Packing(machine, system.initial());
  const [words, before, whole] = [system.initial(), newState(machine), newState(machine)];
  registers.normalize(words);
  const options = new Int32Array(1 << 16);
  let moves = 0;
  for (const draw of draws) {
    const count = system.symptoms.length > 0 ? 0 : system.moves(words, options);
    if (count === 0 || moves++ === MOST_MOVES) break;
    copyState(machine, words, before);
    system.apply(words, options[draw % count]!, system.completions[draw % count]!);
    copyState(machine, words, whole);
    registers.normalizeMove(words);
    const listed = new Set(journal.words.subarray(0, journal.length));
    for (let at = 0; at < machine.layout.flights; at++) {
      if (words[at] !== before[at]) assert.ok(listed.has(at) || journal.isWide, `word ${at}`);
    }
    const flights = words.subarray(machine.layout.flights);
    if (!journal.hasFlights) assert.deepEqual(flights, before.subarray(machine.layout.flights));
    registers.normalize(whole);
    assert.deepEqual(words, whole);
    packing.restore(before, whole);
    assert.deepEqual(whole, before);
  }
  return moves;
}
