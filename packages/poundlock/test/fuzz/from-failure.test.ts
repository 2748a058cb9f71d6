// tier: deep
// Random programs: what is constructed from a failed condition goes wrong, as a dull search says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { failureAgain, proveByOneRun, type FailedCondition } from '#src/check/certify/index';
import { witnessOf } from '#src/check/witness/index';
import { Program, Unfolding } from '../../../core/src/program/index.ts';
import { Names, Schedule, System } from '../../../core/src/system/index.ts';
import {
  dullSearch,
  MAX_DULL_STATES,
  randomProgram,
  toKernel,
  type DullProgram,
} from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from './runs.ts';

/** The failure of the one run of a program, with its two operations. */
async function failureOf(program: Program): Promise<FailedCondition | null> {
  const { proof, run } = await proveByOneRun(program, { memory: 'none' }, () => null);
  return proof.failure === null ? null : failureAgain(program, run);
}

function systemOf(program: Program): System {
  return new System(program, (_, machine) => new Unfolding(program, machine));
}

/** By condition: how many runs failed it, and of how many a schedule was constructed. */
type Counts = Map<string, { failed: number; constructed: number }>;

async function look(random: DullProgram, counts: Counts): Promise<void> {
  const program = new Program(toKernel(random));
  const failure = await failureOf(program);
  if (failure === null) return;
  const count = counts.get(failure.condition) ?? { failed: 0, constructed: 0 };
  counts.set(failure.condition, count);
  count.failed++;
  const system = systemOf(program);
  const witness = witnessOf(system, failure);
  const { verdict } = dullSearch(random, MAX_DULL_STATES);
  if (witness === null) return requireNoRace(random, failure, verdict);
  count.constructed++;
  const { rule } = witness.symptom;
  assert.notEqual(verdict, 'certified', `${rule} was constructed of a program that is right`);
  const schedule = new Schedule(system, new Names(system), witness.path);
  const isStuck = system.moves(schedule.words, new Int32Array(1 << 16)) === 0;
  if (rule === 'deadlock') assert.ok(isStuck && !system.isFinal(schedule.words));
  else assert.ok(schedule.symptoms.some((symptom) => symptom.rule === rule));
}

/** T11: of a failed R there is a schedule; turns at a pool are not followed. */
function requireNoRace(
  { pools }: DullProgram,
  { condition, why }: FailedCondition,
  verdict: string,
): void {
  if (condition !== 'R' || pools.length > 0) return;
  assert.notEqual(verdict, 'counterexample', `nothing was constructed where ${why}`);
}

test('a failed condition is a schedule that goes wrong', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const counts: Counts = new Map();
  await fc.assert(
    fc.asyncProperty(randomProgram, (random) => look(random, counts)),
    sized(SEED, RUNS),
  );
  t.diagnostic(JSON.stringify(Object.fromEntries(counts)));
  if (RUNS < 100) return;
  for (const condition of ['D', 'R', 'M', 'fault'])
    assert.ok(counts.get(condition)!.constructed > 0, condition);
});
