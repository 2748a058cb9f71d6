// Random programs that count: a proof for every number agrees with the dull search of each number.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { counting, lookAtEvery } from './every-number.ts';
import { minimise } from './minimise.ts';
import { RUNS, SEED, sized } from './runs.ts';

test('a proof for every number holds for each', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const counted: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(counting, async (program) => {
      const { verdict, fault } = await lookAtEvery(program);
      counted[verdict] = (counted[verdict] ?? 0) + 1;
      if (fault === '') return;
      const small = await minimise(program, async (one) => {
        return one.counts.length > 0 && (await lookAtEvery(one)).fault !== '';
      });
      assert.fail(`${(await lookAtEvery(small)).fault}\n${JSON.stringify(small)}`);
    }),
    sized(SEED, Math.ceil(RUNS / 4)),
  );
  t.diagnostic(JSON.stringify(counted));
  if (RUNS >= 400) assert.ok(counted['every']! > RUNS / 40, 'too few proofs for every number');
});
