// Runs a decider on the system of a problem: bounds and nondeterministic roles end it in words.
import type { Budget } from '../budget.ts';
import { BoundError } from '@poundlock/core/internal/base';
import { NondeterminismError, type Divergence } from '@poundlock/core/internal/program';
import { explainDivergence, Names } from '@poundlock/core/internal/system';
import { NOTHING, type Outcome } from '../outcome.ts';
import type { Problem } from '../problem.ts';
import type { SearchSpace } from '../search-space.ts';

/** Lets a search look through the states of a problem, whose roles must be deterministic. */
export async function inSpace(
  problem: Problem,
  budget: Budget,
  search: (space: SearchSpace) => Promise<Outcome | null>,
): Promise<Outcome | null> {
  const { certificate, engine, question } = problem;
  // Where a search is asked for, it has all the time.
  if (certificate !== null && engine === 'auto' && question.example !== true) budget.beginSearch();
  return await orWhy(problem, budget, async () => {
    const { space } = problem;
    return space.divergence === null ? await search(space) : divergent(space, space.divergence);
  });
}

/** What a run of the system comes to, also where a bound or a role ends it. */
export async function orWhy(
  problem: Problem,
  { searched }: Budget,
  run: () => Promise<Outcome | null>,
): Promise<Outcome | null> {
  const { system } = problem.runnable;
  try {
    return await run();
  } catch (error) {
    if (error instanceof BoundError)
      return { ...NOTHING, ...searched.progress, findings: [], reason: error.message };
    if (!(error instanceof NondeterminismError)) throw error;
    const { role, expected, found, foundAt } = error;
    const expectedAt = expected < 0 ? undefined : system.steps.position(expected);
    const rule = 'nondeterministic-role';
    const names = new Names(system);
    return divergent({ system, names }, { rule, role, expected, expectedAt, found, foundAt });
  }
}

function divergent(
  { system, names }: Pick<SearchSpace, 'system' | 'names'>,
  found: Divergence,
): Outcome {
  return { ...NOTHING, findings: [explainDivergence(system, names, found)], reason: null };
}
