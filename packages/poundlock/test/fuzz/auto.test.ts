// tier: deep
// Random programs, checked as users do: whichever engine answers, the verdict is the dull search's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  MAX_DULL_STATES,
  checkAsUsersDo,
  dullSearch,
  randomProgram,
} from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from './runs.ts';
import { checker } from './checker.ts';

test('whichever engine answers, it agrees with the dull search', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const engines: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(randomProgram, async (program) => {
      const dull = dullSearch(program, MAX_DULL_STATES);
      if (dull.verdict === 'skipped') return;
      const { engine, fault } = await checkAsUsersDo(checker, program, dull);
      engines[engine] = (engines[engine] ?? 0) + 1;
      assert.equal(fault, '', JSON.stringify(program));
    }),
    sized(SEED, RUNS / 2),
  );
  t.diagnostic(JSON.stringify(engines));
});
