// Every simulated run is a path of the machine that `check` explores: random programs replayed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { BoundError, InputError } from '../../../core/src/base/index.ts';
import { Program, Unfolding, type Kernel } from '../../../core/src/program/index.ts';
import { costsOf, prepareInPlace, MODELS, Simulation, type GpuModel } from '#src/simulate/index';
import { agentOf, optionOf, System, type Move } from '../../../core/src/system/index.ts';
import {
  MAX_DULL_STATES,
  dullSearch,
  randomProgram,
  rightProgram,
  toKernel,
} from '@poundlock/fuzz/internal/order';
import { SEED, sized } from '../fuzz/runs.ts';

const MAX_EVENTS = 20_000;

/** Simulates and collects the moves; `why` says why the run ended early. */
function simulated(kernel: Kernel, model: GpuModel, seed: number): { moves: Move[]; why: string } {
  const moves: Move[] = [];
  const options = { costs: costsOf(model), seed, moves, maxEvents: MAX_EVENTS };
  const simulation = new Simulation(prepareInPlace(new Program(kernel)), options);
  try {
    simulation.run();
    return { moves, why: '' };
  } catch (error) {
    if (error instanceof InputError || error instanceof BoundError) {
      return { moves, why: error.message };
    }
    throw error;
  }
}

/** Makes the moves on a system of its own; the rule that the last one broke, if it broke one. */
function replayed(kernel: Kernel, moves: readonly Move[], isWhole: boolean): string | undefined {
  const program = new Program(kernel);
  const system = new System(program, (of, machine) => new Unfolding(of, machine));
  const words = system.initial();
  const possible = new Int32Array(1 << 16);
  for (const [at, move] of moves.entries()) {
    const [broken] = system.symptoms;
    if (broken !== undefined && broken.rule !== 'late-pass') return broken.rule;
    const count = system.moves(words, possible);
    const what = `move ${at}: agent ${agentOf(move)}, option ${optionOf(move)}`;
    assert.ok(possible.subarray(0, count).includes(move), `${what} is not possible there`);
    system.apply(words, move);
  }
  const [broken] = system.symptoms;
  if (broken !== undefined) return broken.rule;
  if (isWhole) assert.ok(system.isFinal(words), 'the run ended, the system has not');
  return undefined;
}

test('every simulated run of a random program replays on the system', (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`);
  const counted = { whole: 0, early: 0, broken: 0 };
  const models = fc.constantFrom<GpuModel>(...Object.values(MODELS));
  fc.assert(
    fc.property(randomProgram, models, fc.nat(1000), (program, model, seed) => {
      const kernel = toKernel(program);
      const { moves, why } = simulated(kernel, model, seed);
      const broken = replayed(kernel, moves, why === '');
      if (broken !== undefined) counted.broken++;
      else if (why === '') counted.whole++;
      else counted.early++;
    }),
    sized(SEED, 600),
  );
  t.diagnostic(JSON.stringify(counted));
  assert.ok(counted.whole > 200 && counted.early > 20);
});

test('what no interleaving can break, the simulation runs to its end', (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`);
  let right = 0;
  fc.assert(
    fc.property(rightProgram, fc.nat(1000), (program, seed) => {
      if (dullSearch(program, MAX_DULL_STATES).verdict !== 'certified') return;
      right++;
      const { why } = simulated(toKernel(program), MODELS.h200, seed);
      assert.equal(why, '');
    }),
    sized(SEED, 150),
  );
  assert.ok(right > 40, `only ${right} programs were certified`);
});
