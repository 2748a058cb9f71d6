// Two searches of one system in turns: each comes to what it comes to alone, whatever the other does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Packing, Search } from '#src/check/index';
import { Budget } from '#src/check/budget';
import { searchFewStates, searchInTurns } from '#src/check/deciders/index';
import { hasError } from '#src/check/outcome';
import { Problem } from '#src/check/problem';
import { ReducedSearch } from '#src/check/reduce/index';
import { Program, Unfolding } from '../../../core/src/program/index.ts';
import { System } from '../../../core/src/system/index.ts';
import { dullSearch, randomProgram, toKernel } from '@poundlock/fuzz/internal/order';
import { modelKernel } from '../conformance/verdict-of.ts';
import { RUNS, SEED, sized } from '../fuzz/runs.ts';

const MAX_STATES = 20_000;
/** Programs whose states the dull search can count in no time. */
const FEW = 500;

/** A system of which nothing is known yet: each search learns while the other is under way. */
function unknown(program: Program) {
  const system = new System(program, (_, machine) => new Unfolding(program, machine));
  return { system, packing: new Packing(system.machine, system.initial()) };
}

test('both searches agree with the dull search, in slices of any length', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`);
  let restarts = 0;
  await fc.assert(
    fc.asyncProperty(randomProgram, fc.nat(30), fc.nat(30), async (random, some, others) => {
      const dull = dullSearch(random, FEW);
      if (dull.verdict === 'skipped') return;
      const { system, packing } = unknown(new Program(toKernel(random)));
      const plain = new Search(system, packing, 1);
      const reduced = new ReducedSearch(system, packing, MAX_STATES);
      const isOver = { plain: false, reduced: false };
      while (!isOver.plain || !isOver.reduced) {
        isOver.reduced ||= reduced.run(some + 1) !== 'running';
        isOver.plain ||= plain.run(others + 1) === 'exhausted' || plain.status === 'found';
        // A bound of states ends a search for a while only.
        plain.allow(plain.states * 2);
      }
      for (const search of [plain, reduced]) {
        const isStuck = search.errors.length === 0 && search.cannotTerminate() !== null;
        const verdict = search.errors.length > 0 || isStuck ? 'counterexample' : 'certified';
        assert.equal(verdict, dull.verdict, `${search.constructor.name} ${JSON.stringify(random)}`);
      }
      const alone = unknown(new Program(toKernel(random)));
      const search = new Search(alone.system, alone.packing, MAX_STATES);
      search.run(Number.POSITIVE_INFINITY);
      assert.equal(plain.errors[0]?.path.length, search.errors[0]?.path.length);
      if (search.status === 'exhausted') assert.equal(plain.states, search.states);
      restarts += reduced.restarts;
    }),
    sized(SEED, RUNS / 4),
  );
  t.diagnostic(`${restarts} restarts`);
  assert.ok(restarts > 0, 'some states became stale');
});

test('what ends first decides, and few states that were searched before are gone on with', async () => {
  const decided: string[] = [];
  for (const [model, params, maxStates] of [
    ['batches', { consumers: 2, items: 2, producers: 1 }, 50_000],
    ['batches', { consumers: 2, claiming: 'whole' }, 50_000],
    ['m1a', { S: 4, T: 16 }, 30_000],
  ] as const) {
    const program = new Program(await modelKernel(model), params);
    const alone = await searchInTurns(new Problem(program, {}), new Budget({ maxStates }));
    const problem = new Problem(program, {});
    const few = await searchFewStates(problem, new Budget({ maxStates }));
    const after = few ?? (await searchInTurns(problem, new Budget({ maxStates })));
    assert.equal(hasError(after!), hasError(alone!));
    assert.equal(problem.begun, null, 'its states are given back');
    decided.push(`${alone!.engine} ${hasError(alone!)} ${alone!.reason}`);
  }
  assert.deepEqual(decided, ['search false null', 'search true null', 'reduced false null']);
});
