// tier: deep
// Random programs: whatever is built from one run goes wrong on the machine, and in a dull search.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import {
  constructWitness,
  recheckConditions,
  shrinkSchedule,
  type Witness,
} from '#src/check/witness/index';
import { Program, Unfolding } from '../../../core/src/program/index.ts';
import { Names, Schedule, stepsWithoutSignal, System } from '../../../core/src/system/index.ts';
import {
  MAX_DULL_STATES,
  dullSearch,
  randomProgram,
  symptomOf,
  toKernel,
  type DullProgram,
} from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from './runs.ts';

/** The dull search knows order alone. */
const memory = 'none';

function systemOf(program: DullProgram): System {
  const built = new Program(toKernel(program));
  return new System(built, (_, machine) => new Unfolding(built, machine));
}

/** What a schedule shows when it is replayed. */
function rulesOf(system: System, { symptom, path }: Witness): string[] {
  const schedule = new Schedule(system, new Names(system), path);
  const rules = schedule.symptoms.map(({ rule }) => rule as string);
  const isStuck = system.moves(schedule.words, new Int32Array(1 << 16)) === 0;
  if (isStuck && !system.isFinal(schedule.words)) rules.push('deadlock');
  rules.push(...stepsWithoutSignal(schedule).map(({ rule }) => rule));
  return rules.length === 0 ? [`nothing, and not ${symptom.rule}`] : rules;
}

test('a schedule that is built from one run goes wrong, and so does a search', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const counted = { broken: 0, built: 0, shortest: 0, cut: 0, proved: 0 };
  await fc.assert(
    fc.asyncProperty(randomProgram, async (program) => {
      const dull = dullSearch(program, MAX_DULL_STATES);
      if (dull.verdict === 'skipped') return;
      const isBroken = dull.verdict === 'counterexample';
      if (isBroken) counted.broken++;
      const system = systemOf(program);
      if (await isProved(program)) {
        counted.proved++;
        assert.ok(recheckConditions(system) !== null, 'a certificate that a second count refutes');
      }
      const witness = constructWitness(system);
      if (witness === null) return;
      counted.built++;
      if (witness.condition !== 'D') counted.cut++;
      assert.ok(isBroken, `${witness.symptom.rule} was built of a program that is right`);
      assert.ok(rulesOf(system, witness).includes(witness.symptom.rule));
      const shrunk = shrinkSchedule(system, witness);
      assert.ok(shrunk.path.length <= witness.path.length);
      assert.ok(rulesOf(system, shrunk).includes(witness.symptom.rule));
      assert.ok(shrunk.path.length >= dull.shortest, 'shorter than the shortest');
      if (shrunk.path.length === dull.shortest) counted.shortest++;
      await requireReplay(program, system, shrunk);
    }),
    sized(SEED, RUNS / 2),
  );
  t.diagnostic(JSON.stringify(counted));
  const { broken, built, cut } = counted;
  if (RUNS < 100) return;
  assert.ok(built > broken * 0.9 && cut > 0, JSON.stringify(counted));
});

/** Whether one run certifies a program. */
async function isProved(program: DullProgram): Promise<boolean> {
  const bounds = { maxEvents: 10_000, maxStates: 1_000 };
  const { verdict, stats } = await check(toKernel(program), {
    memory,
    engine: 'certify',
    ...bounds,
  });
  return verdict === 'certified' && stats.engine === 'certify';
}

/** The token of a schedule shows the same rule again. */
async function requireReplay(
  program: DullProgram,
  system: System,
  witness: Witness,
): Promise<void> {
  const replay = new Schedule(system, new Names(system), witness.path).token();
  const { findings } = await check(toKernel(program), { memory, replay });
  const rules = findings.map(symptomOf);
  assert.ok(
    rules.includes(witness.symptom.rule),
    `${replay} should replay ${witness.symptom.rule}`,
  );
}
