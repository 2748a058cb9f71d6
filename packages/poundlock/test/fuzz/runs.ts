// How many random programs are tried, and which: FUZZ_SEED=random and FUZZ_RUNS try others.
import process from 'node:process';
import type * as fc from 'fast-check';

const { FUZZ_SEED, FUZZ_RUNS = '200' } = process.env;

/** The seed unless one is given: a change is judged on the programs that the last one was. */
const USUAL_SEED = 20_261_120;

function seedOf(text: string | undefined): number {
  if (text === 'random') return Math.floor(Math.random() * 2 ** 31);
  return text === undefined ? USUAL_SEED : Number(text);
}

/** Printed by every test that uses it; the same seed makes the same programs. */
export const SEED = seedOf(FUZZ_SEED);

/** The programs are the same each time: `npm run fuzz` tries others. */
export const RUNS = Number(FUZZ_RUNS);

/** Parameters for fast-check. It does not shrink: `minimise` does that better. */
export function sized<T>(seed: number, runs: number): fc.Parameters<T> {
  return { seed, numRuns: Math.max(1, Math.floor(runs)), endOnFailure: true };
}
