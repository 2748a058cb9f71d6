// The engine and a reference without its tables and lists have bit-identical results.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { BoundError, InputError } from '../../../core/src/base/index.ts';
import { Program, type Kernel } from '../../../core/src/program/index.ts';
import { costsOf, prepareInPlace, MODELS, Simulation, type GpuModel } from '#src/simulate/index';
import { randomProgram, rightProgram, toKernel } from '@poundlock/fuzz/internal/order';
import twoRole from '../../../../examples/h200/two-role.ts';
import multicast from '../../../../examples/h200/multicast.ts';
import attention from '../../../../examples/whole/attention.ts';
import { SEED, sized } from '../fuzz/runs.ts';
import { dullSimulation } from './dull-simulation.ts';

const MAX_EVENTS = 5_000;

/** Compares a run with that of the reference; `false` for one that breaks a rule or hangs. */
function agrees(makeProgram: () => Program, model: GpuModel, seed: number): boolean {
  const costs = costsOf(model);
  const options = { costs, seed, maxEvents: MAX_EVENTS };
  const simulation = new Simulation(prepareInPlace(makeProgram()), options);
  let isWhole = true;
  try {
    simulation.run();
  } catch (error) {
    if (error instanceof BoundError) return false;
    if (!(error instanceof InputError)) throw error;
    isWhole = false;
  }
  const dull = dullSimulation(makeProgram(), costs, seed, MAX_EVENTS);
  assert.equal(isWhole, dull.isWhole);
  assert.deepEqual([...simulation.ends], dull.ends);
  assert.equal(simulation.events, dull.events);
  return isWhole;
}

test('random programs take the same times in the reference', (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`);
  let whole = 0;
  const models = fc.constantFrom<GpuModel>(...Object.values(MODELS));
  const programs = fc.oneof(rightProgram, randomProgram);
  fc.assert(
    fc.property(programs, models, fc.integer({ min: 1, max: 99 }), (spec, model, seed) => {
      const kernel: Kernel = toKernel(spec);
      if (agrees(() => new Program(kernel), model, seed)) whole++;
    }),
    sized(SEED, 300),
  );
  assert.ok(whole > 20, `only ${whole} programs end`);
});

test('rings, clusters and tensor cores take the same times in the reference', () => {
  const rings = [1, 3, 4].map(
    (stages) => () => new Program(twoRole, { stages, tiles: 40, ctas: 132 }),
  );
  const others = [() => new Program(multicast, { tiles: 20 }), () => new Program(attention, {})];
  for (const makeProgram of [...rings, ...others]) {
    for (const model of [MODELS.h200, MODELS.h100]) agrees(makeProgram, model, 1);
  }
});
