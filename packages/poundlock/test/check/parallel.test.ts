// Several threads see the states of one, and find what it finds in as few steps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { check, Packing, Search, type MemberReport, type StartCrew } from '#src/check/index';
import { ParallelSearch } from '#src/check/parallel/index';
import { startCrewFor } from '#src/cli/crew';
import type { ParameterValue } from '../../../core/src/finding/index.ts';
import { Program, Unfolding } from '../../../core/src/program/index.ts';
import { System } from '../../../core/src/system/index.ts';
import {
  dullSearch,
  randomProgram,
  toKernel,
  type DullProgram,
} from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from '../fuzz/runs.ts';
import { modelKernel } from '../conformance/verdict-of.ts';

type Case = readonly [model: string, params: Record<string, ParameterValue>, verdict: string];
const CASES: readonly Case[] = [
  ['m3', { S: 3, T: 6, P: 2, C: 3 }, 'certified'],
  // Its consumers poll, so that there are circles to look for.
  ['m4', { S: 3, T: 4, C: 3, TRY: true }, 'certified'],
  ['m4', { S: 3, T: 8, C: 3, TRY: true, BUG_SENTINEL: true }, 'counterexample'],
  ['m2', { S1: 3, S2: 2, T: 5, K: 8, BUG_AFLIP: true }, 'counterexample'],
];

for (const [model, params, verdict] of CASES) {
  test(`two threads agree with one on ${model} ${JSON.stringify(params)}`, async () => {
    const kernel = await modelKernel(model);
    const file = fileURLToPath(import.meta.resolve(`../../../../examples/models/${model}.ts`));
    const options = { params, engine: 'search' } as const;
    const one = await check(kernel, options);
    const two = await check(kernel, { ...options, jobs: 2, startCrew: startCrewFor(file, '/') });
    assert.equal(one.verdict, verdict);
    assert.equal(two.verdict, verdict);
    assert.equal(two.findings[0]?.rule, one.findings[0]?.rule);
    assert.equal(two.findings[0]?.trace?.length, one.findings[0]?.trace?.length);
    if (verdict === 'certified') assert.equal(two.stats.states, one.stats.states);
  });
}

/** The most states of a random program here, and how many threads search it. */
const FEW = 1_500;
const THREADS = 3;
/** Threads take long to start. */
const FRACTION = 1 / 100;

test('three threads agree with one on random programs', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`);
  await fc.assert(
    fc.asyncProperty(randomProgram, async (random) => {
      if (dullSearch(random, FEW).verdict === 'skipped') return;
      const program = new Program(toKernel(random));
      const alone = systemOf(program);
      const packing = new Packing(alone.machine, alone.initial());
      const one = new Search(alone, packing, 50 * FEW);
      one.run(Number.POSITIVE_INFINITY);
      const known = { ranges: packing.ranges, marks: alone.registers.marks };
      const start = crewOf(random);
      const search = new ParallelSearch(program, 50 * FEW, THREADS, start, known, 1);
      const many = await search.run(() => false);
      assert.equal(many.status, one.status);
      assert.deepEqual(
        many.errors.map(({ path }) => path.length).slice(0, 1),
        one.errors.map(({ path }) => path.length).slice(0, 1),
      );
      if (one.status !== 'exhausted') return;
      assert.equal(many.states, one.states);
      assert.equal(many.cannotTerminate() === null, one.cannotTerminate() === null);
    }),
    sized(SEED, RUNS * FRACTION),
  );
});

function systemOf(program: Program): System {
  return new System(program, (_, machine) => new Unfolding(program, machine));
}

function crewOf(program: DullProgram): StartCrew {
  return (tasks) => {
    const reports = tasks.map((task) => {
      const { promise, resolve, reject } = Promise.withResolvers<MemberReport>();
      const url = new URL('./fuzz-member.ts', import.meta.url);
      const worker = new Worker(url, { workerData: { program, task } });
      worker.once('message', resolve);
      worker.once('error', reject);
      return promise;
    });
    return { wait: () => Promise.all(reports) };
  };
}
