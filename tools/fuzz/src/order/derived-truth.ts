// Holds `check` against what a ring does for each number: directly, and in the dull search.
import type { Checker } from '../checker.ts';
import { roundsOf, toDerivedKernel, type DerivedProgram } from './derived-program.ts';
import type { DullProgram, Statement } from './dull-program.ts';
import { dullSearch } from './dull-search.ts';
import type { Looked } from '../looked.ts';
import { arrive, EMPTY, role, upTo } from './template-words.ts';

/** Numbers that are looked at one by one; the dull search takes part while both sides are short. */
const LARGEST = 300;
const MOST_SEARCHED = 5;
const SEARCHED = 3;
/** Numbers of no program's list of sizes. */
const FAR = [523, 1_237, 4_099, 65_537];
/** Numbers that stand for every one. */
const EVERY = [...upTo(LARGEST, (n) => n), ...FAR];
const BOUNDS = { maxEvents: 20_000, maxStates: 20_000, timeoutMs: 3_000 };

/** Whether runs end: the consumer gets its tiles, and the producer is at most a ring ahead. */
function endsFor(program: DerivedProgram, n: number): boolean {
  const [produced, taken] = roundsOf(program, n);
  return taken <= produced && produced <= taken + program.stages;
}

/** The ring for one number, written out; `null` where it is too long for the dull search. */
function writtenOut(program: DerivedProgram, n: number): DullProgram | null {
  const [produced, taken] = roundsOf(program, n);
  if (Math.max(produced, taken) > MOST_SEARCHED) return null;
  const { stages } = program;
  const side = (total: number, isFirst: boolean): Statement[] =>
    upTo(total, (at): Statement[] => {
      const [stage, lap] = [at % stages, Math.floor(at / stages)];
      const [full, empty] = [stage, stages + stage];
      const [bar, bit] = isFirst ? [empty, (lap + 1) % 2] : [full, lap % 2];
      return [{ do: 'waitParity', bar, bit }, arrive(isFirst ? full : empty)];
    }).flat();
  return {
    ...EMPTY,
    barriers: upTo(2 * stages, () => ({ count: 1, mode: 'parity' }) as const),
    roles: [role(side(produced, true)), role(side(taken, false))],
  };
}

/** Compares a verdict with what the program does for each number that the verdict speaks of. */
export async function lookAtDerived(check: Checker, program: DerivedProgram): Promise<Looked> {
  const every = program.isEvery ? { every: 'n' } : {};
  const result = await check(toDerivedKernel(program), {
    memory: 'none',
    ...every,
    ...BOUNDS,
  });
  const { verdict, scope, params } = result;
  const isEvery = verdict === 'certified' && scope.every.length === 1;
  const sizes = scope.sizes[0]?.certified ?? [];
  const requested = verdict === 'certified' ? [program.size] : [];
  const right = isEvery ? EVERY : [...sizes, ...requested];
  const claimed = isEvery ? 'every' : verdict;
  for (const n of right) {
    if (!endsFor(program, n))
      return { verdict: claimed, fault: `${claimed}, but ${n} does not end` };
  }
  const wrong = Number(result.findings[0]?.params?.['n'] ?? params['n']);
  if (verdict === 'counterexample' && endsFor(program, wrong)) {
    return { verdict, fault: `counterexample for ${wrong}, which ends` };
  }
  const searched = verdict === 'counterexample' ? [wrong] : right.slice(0, SEARCHED);
  const fault = searched.map((n) => searchFault(program, n)).find((found) => found !== '');
  return { verdict: claimed, fault: fault ?? '' };
}

/** How the dull search contradicts what the ring does for a number. */
function searchFault(program: DerivedProgram, n: number): string {
  const written = writtenOut(program, n);
  const dull = written === null ? 'skipped' : dullSearch(written).verdict;
  const expected = endsFor(program, n) ? 'certified' : 'counterexample';
  if (dull === 'skipped' || dull === expected) return '';
  return `the dull search says ${dull} for ${n}, not ${expected}`;
}
