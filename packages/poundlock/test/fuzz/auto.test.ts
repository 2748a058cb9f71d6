// Random programs, checked as users do: whichever engine answers, the verdict is the dull search's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '#src/check/index';
import type { CheckResult } from '#src/finding/index';
import { lengthOf, MAX_DULL_STATES } from './compare.ts';
import { toKernel } from './dull-program.ts';
import { dullSearch, type DullResult } from './dull-search.ts';
import { randomProgram } from './random-program.ts';
import { RUNS, SEED, sized } from './runs.ts';

const BOUNDS = { maxStates: 50 * MAX_DULL_STATES, maxEvents: 10_000, timeoutMs: 10_000 };
const NEED_NOT_BE_SHORTEST = /may not be a shortest one|may be a shorter one/;

/** What the two disagree about, or ''. */
function disagreement(dull: DullResult, result: CheckResult): string {
  if (result.verdict !== dull.verdict) return `check says ${result.verdict}, not ${dull.verdict}`;
  const [first] = result.findings;
  if (result.verdict !== 'counterexample' || first === undefined) return '';
  const length = lengthOf(result);
  if (length < dull.shortest) return `${length} steps, and the shortest has ${dull.shortest}`;
  const isMarked = first.notes.some((note) => NEED_NOT_BE_SHORTEST.test(note));
  if (length > dull.shortest && !isMarked) return `${length} steps are called the shortest`;
  return '';
}

test('whichever engine answers, it agrees with the dull search', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const engines: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(randomProgram, async (program) => {
      const dull = dullSearch(program, MAX_DULL_STATES);
      if (dull.verdict === 'skipped') return;
      const now = (): number => performance.now();
      const result = await check(toKernel(program), { ...BOUNDS, now });
      const { engine } = result.stats;
      engines[engine] = (engines[engine] ?? 0) + 1;
      assert.equal(disagreement(dull, result), '', JSON.stringify(program));
    }),
    sized(SEED, RUNS / 2),
  );
  t.diagnostic(JSON.stringify(engines));
});
