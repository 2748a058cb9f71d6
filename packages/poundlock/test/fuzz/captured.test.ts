// tier: deep
// Random programs with captured variables: `check` says what naive runs of them do (P06, P09).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { capturedProgram, lookAtCaptured } from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from './runs.ts';
import { checker } from './checker.ts';

test('captured variables are found where they matter, and only there', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const counted: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(capturedProgram, async (program) => {
      const { verdict, fault } = await lookAtCaptured(checker, program);
      counted[verdict] = (counted[verdict] ?? 0) + 1;
      assert.equal(fault, '', JSON.stringify(program));
    }),
    sized(SEED, Math.ceil(RUNS / 5)),
  );
  t.diagnostic(JSON.stringify(counted));
  if (RUNS < 400) return;
  for (const verdict of ['certified', 'loop-captures', 'deadlock', 'nondeterministic-role']) {
    assert.ok(counted[verdict]! > 0, verdict);
  }
});
