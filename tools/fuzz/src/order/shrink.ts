// Makes programs of any kind smaller, by the way in which they are drawn.
import * as fc from 'fast-check';
import type { DrawnAt, Shows } from '../kind.ts';

/** The most candidates that are tried; each is checked once. */
const MAX_TRIES = 1_000;

/** Draws a program again and lets fast-check shrink it while `shows` holds. */
export async function shrunk<T>(
  arbitrary: fc.Arbitrary<T>,
  program: T,
  shows: Shows<T>,
  { seed, at }: DrawnAt,
): Promise<T> {
  let best = program;
  let tries = 0;
  const property = fc.asyncProperty(arbitrary, async (candidate) => {
    if (tries++ >= MAX_TRIES || !(await shows(candidate))) return true;
    best = candidate;
    return false;
  });
  await fc.check(property, { seed, path: String(at), numRuns: 1 });
  return best;
}
