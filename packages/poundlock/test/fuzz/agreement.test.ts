// tier: deep
// Random programs: `check` and the dull search give the same verdict and the same shortest length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  compare,
  dullSearch,
  kindsOf,
  minimize,
  randomProgram,
  type DullProgram,
} from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from './runs.ts';
import { checker } from './checker.ts';

/** At most this part of the programs may be too large for the dull search. */
const MAX_SKIPPED = 0.3;

test('check agrees with the dull search on random programs', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const counted = { certified: 0, counterexample: 0, skipped: 0, proved: 0 };
  await fc.assert(
    fc.asyncProperty(randomProgram, async (program) => {
      const { dull, faults, isProved } = await compare(checker, program);
      counted[dull.verdict]++;
      if (isProved) counted.proved++;
      if (faults.length > 0) assert.fail(await complaint(program));
    }),
    sized(SEED, RUNS),
  );
  t.diagnostic(JSON.stringify(counted));
  const { certified, counterexample, skipped, proved } = counted;
  assert.ok(skipped < RUNS * MAX_SKIPPED, `${skipped} programs were too large`);
  if (RUNS < 100) return;
  // About half of the programs are right, and many of those in every order of their steps.
  assert.ok(certified > RUNS / 4 && counterexample > RUNS / 4 && proved > RUNS / 10);
});

/** The smallest program found that has a fault, with its faults. */
async function complaint(program: DullProgram): Promise<string> {
  const hasFaults = async (one: DullProgram): Promise<boolean> =>
    compare(checker, one).then(
      ({ faults }) => faults.length > 0,
      // A smaller program need not be one: a role that is joined may be gone.
      () => false,
    );
  const small = await minimize(program, hasFaults);
  const { faults } = await compare(checker, small);
  return `${faults.join('\n')}\n${JSON.stringify(small)}`;
}

/** Every rule that random programs can break, in a fixed sample of them. */
const RULES = [
  'capacity',
  'deadlock',
  'divergent-exit',
  'divergent-step',
  'double-acquire',
  'double-release',
  'false-block',
  'false-pass',
  'forked-pipeline',
  'leaked-stage',
  'missing-drain',
  'named-barrier-mismatch',
  'over-arrival',
  'race',
  'release-order',
  'stale-try-token',
  'tmem-double-free',
  'tmem-use-after-free',
  'tx-mismatch',
  'uninitialised-barrier',
  'use-after-release',
];

test('random programs break every rule, and say everything that programs can say', () => {
  const programs = fc.sample(randomProgram, { seed: 2, numRuns: 2_000 });
  const results = programs.map((program) => dullSearch(program, 100));
  const broken = new Set(results.flatMap(({ rules }) => [...rules]));
  assert.deepEqual([...broken].toSorted(), RULES);
  const right = results.filter(({ verdict }) => verdict === 'certified');
  const warnings = new Set(right.flatMap((result) => [...result.warnings]));
  assert.deepEqual([...warnings].toSorted(), [
    'late-pass',
    'not-quiescent',
    'tmem-not-relinquished',
  ]);

  const kinds = new Set(programs.flatMap((program) => [...kindsOf(program)]));
  assert.equal(kinds.size, 53);
  assert.ok(programs.some(({ roles }) => roles.some(({ cta }) => cta > 0)));
  assert.ok(programs.some(({ rings }) => rings.some(({ copyOf }) => copyOf !== undefined)));
});
