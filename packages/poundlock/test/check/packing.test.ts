// A packed state is the state: what is read again is what was written, for whatever values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Packing } from '#src/check/index';
import { Program, Unfolding } from '../../../core/src/program/index.ts';
import { copyState, newState, System } from '../../../core/src/system/index.ts';
import { randomProgram, toKernel, type DullProgram } from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from '../fuzz/runs.ts';

const MOST_MOVES = 200;

test('what is packed is read again, by moves as by whole states', (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`);
  let packed = 0;
  fc.assert(
    fc.property(randomProgram, fc.infiniteStream(fc.nat()), (random, draws) => {
      packed += packRandomly(random, draws);
    }),
    sized(SEED, RUNS / 4),
  );
  t.diagnostic(`${packed} states`);
  assert.ok(packed > RUNS);
});

/** Packs the states of a random path, whatever their values, and reads them; returns how many. */
function packRandomly(random: DullProgram, draws: Iterable<number>): number {
  const program = new Program(toKernel(random));
  const system = new System(program, (_, machine) => new Unfolding(program, machine));
  const { machine } = system;
  const initial = system.initial();
  const packing = new Packing(machine, initial);
  const [words, before, copy] = [newState(machine), newState(machine), newState(machine)];
  for (const one of [words, before, copy]) copyState(machine, initial, one);
  const options = new Int32Array(1 << 16);
  let states = 0;
  for (const draw of draws) {
    const count = system.symptoms.length > 0 ? 0 : system.moves(words, options);
    if (count === 0 || states++ === MOST_MOVES) break;
    packing.write(words);
    if (packing.hasGrown) packing.write(words);
    packing.acceptGrowth();
    packing.read(packing.packed.slice(), 0, before, copy);
    assert.deepEqual(before, words);
    assert.deepEqual(copy, words);
    system.apply(words, options[draw % count]!, system.completions[draw % count]!);
    packing.writeMove(words);
    if (packing.hasGrown) continue;
    const moved = [packing.hash, ...packing.packed.subarray(0, packing.length)];
    packing.write(words);
    assert.deepEqual([packing.hash, ...packing.packed.subarray(0, packing.length)], moved);
  }
  return states;
}
