// tier: deep
// Random programs that count: a proof for every number agrees with the dull search of each number.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { counting, lookAtEvery, minimize } from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from './runs.ts';
import { checker } from './checker.ts';

test('a proof for every number holds for each', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const counted: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(counting, async (program) => {
      const { verdict, fault } = await lookAtEvery(checker, program);
      counted[verdict] = (counted[verdict] ?? 0) + 1;
      if (fault === '') return;
      const small = await minimize(program, async (one) => {
        return one.counts.length > 0 && (await lookAtEvery(checker, one)).fault !== '';
      });
      assert.fail(`${(await lookAtEvery(checker, small)).fault}\n${JSON.stringify(small)}`);
    }),
    sized(SEED, Math.ceil(RUNS / 4)),
  );
  t.diagnostic(JSON.stringify(counted));
  if (RUNS >= 400) assert.ok(counted['every']! > RUNS / 40, 'too few proofs for every number');
});
