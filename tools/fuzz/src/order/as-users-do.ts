// Checks a program as users do, whichever engine answers, and holds it against the dull search.
import type { Checker } from '../checker.ts';
import type { CheckResult } from '@poundlock/core/internal/finding';
import { lengthOf, MAX_DULL_STATES } from './compare.ts';
import { toKernel, type DullProgram } from './dull-program.ts';
import type { DullResult } from './dull-search.ts';

const BOUNDS = { maxStates: 50 * MAX_DULL_STATES, maxEvents: 10_000, timeoutMs: 10_000 };
const NEED_NOT_BE_SHORTEST = /may not be the shortest|may be a shorter one/;

/** What the two disagree about, or ''. */
function disagreement(dull: DullResult, result: CheckResult): string {
  // A bound that was hit is no verdict.
  if (result.verdict === 'inconclusive') return '';
  if (result.verdict !== dull.verdict) {
    const why = [...dull.rules].join(' ') || 'every interleaving is right';
    return `check says ${result.verdict}, the independent search ${dull.verdict} (${why})`;
  }
  const [first] = result.findings;
  if (result.verdict !== 'counterexample' || first === undefined) return '';
  const length = lengthOf(result);
  if (length < dull.shortest)
    return `a schedule of ${length} steps, and the shortest has ${dull.shortest}`;
  const isMarked = first.notes.some((note) => NEED_NOT_BE_SHORTEST.test(note));
  if (length > dull.shortest && !isMarked)
    return `a schedule of ${length} steps is called the shortest, which has ${dull.shortest}`;
  return '';
}

/** The engine that answers, its verdict, and what is wrong with it. */
export async function checkAsUsersDo(
  check: Checker,
  program: DullProgram,
  dull: DullResult,
  bounds = BOUNDS,
) {
  const result = await check(toKernel(program), { memory: 'none', ...bounds });
  const { verdict, stats } = result;
  return { engine: stats.engine, verdict, fault: disagreement(dull, result) };
}
