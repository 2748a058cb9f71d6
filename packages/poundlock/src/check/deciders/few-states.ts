// Searches a few states without reduction: shortest schedules, and enough for most programs.
import type { Budget } from '../budget.ts';
import { FEW_STATES } from '../options.ts';
import type { Outcome } from '../outcome.ts';
import type { Problem } from '../problem.ts';
import type { SearchSpace } from '../search-space.ts';
import type { Decide } from './decider.ts';
import { searchPlainly } from './full.ts';
import { inSpace } from './in-space.ts';

/** Decides where few states are all there are, or show an error; or where no more are allowed. */
export const searchFewStates: Decide = async (problem, budget) => {
  return await inSpace(problem, async (space) => {
    const few = await firstStates(problem, budget, space);
    return few.reason === null || budget.maxStates <= FEW_STATES ? few : null;
  });
};

/** A search that gives up after few states. */
export function firstStates(
  problem: Problem,
  budget: Budget,
  space: SearchSpace,
): Promise<Outcome> {
  return searchPlainly(problem, budget, space, Math.min(budget.maxStates, FEW_STATES));
}
