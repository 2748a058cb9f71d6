// Checks a program as users do, whichever engine answers, and holds it against the dull search.
import { check } from '#src/check/index';
import type { CheckResult } from '../../../core/src/finding/index.ts';
import { lengthOf, MAX_DULL_STATES } from './compare.ts';
import { toKernel, type DullProgram } from './dull-program.ts';
import type { DullResult } from './dull-search.ts';

const BOUNDS = { maxStates: 50 * MAX_DULL_STATES, maxEvents: 10_000, timeoutMs: 10_000 };
const NEED_NOT_BE_SHORTEST = /may not be the shortest|may be a shorter one/;

/** What the two disagree about, or ''. */
function disagreement(dull: DullResult, result: CheckResult): string {
  // A bound that was hit is no verdict.
  if (result.verdict === 'inconclusive') return '';
  if (result.verdict !== dull.verdict) return `check says ${result.verdict}, not ${dull.verdict}`;
  const [first] = result.findings;
  if (result.verdict !== 'counterexample' || first === undefined) return '';
  const length = lengthOf(result);
  if (length < dull.shortest) return `${length} steps, and the shortest has ${dull.shortest}`;
  const isMarked = first.notes.some((note) => NEED_NOT_BE_SHORTEST.test(note));
  if (length > dull.shortest && !isMarked) return `${length} steps are called the shortest`;
  return '';
}

/** The engine that answers, its verdict, and what is wrong with it. */
export async function checkAsUsersDo(program: DullProgram, dull: DullResult, bounds = BOUNDS) {
  const now = (): number => performance.now();
  const result = await check(toKernel(program), { memory: 'none', ...bounds, now });
  const { verdict, stats } = result;
  return { engine: stats.engine, verdict, fault: disagreement(dull, result) };
}
