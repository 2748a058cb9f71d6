// tier: deep
// Random programs with a role twice: proofs that take two roles for one hold for both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import {
  dullSearch,
  minimize,
  symmetricProgram,
  toKernel,
  type DullProgram,
} from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from './runs.ts';

const MAX_DULL_STATES = 3_000;
const BOUNDS = { maxEvents: 20_000, maxStates: 5_000, timeoutMs: 5_000 };

async function isProvedAndWrong(program: DullProgram): Promise<boolean> {
  const dull = dullSearch(program, MAX_DULL_STATES);
  if (dull.verdict !== 'counterexample') return false;
  const now = () => performance.now();
  const options = { engine: 'certify', now, ...BOUNDS } as const;
  return (await check(toKernel(program), { memory: 'none', ...options })).verdict === 'certified';
}

test('no proof of a program with twin roles is wrong', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  await fc.assert(
    fc.asyncProperty(symmetricProgram, async (program) => {
      if (!(await isProvedAndWrong(program))) return;
      assert.fail(JSON.stringify(await minimize(program, isProvedAndWrong)));
    }),
    sized(SEED, Math.ceil(RUNS / 4)),
  );
});
