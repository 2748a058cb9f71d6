// Searches a few states without reduction: shortest schedules, and enough for most programs.
import type { Budget } from '../budget.ts';
import { FEW_STATES, SLICE } from '../options.ts';
import type { Outcome } from '../outcome.ts';
import type { Problem } from '../problem.ts';
import { Search } from '../search.ts';
import type { SearchSpace } from '../search-space.ts';
import type { Decide } from './decider.ts';
import { concluded, drive } from './drive.ts';
import { inSpace } from './in-space.ts';

/** Decides where few states are all there are, or show an error; or where no more are allowed. */
export const searchFewStates: Decide = async (problem, budget) => {
  return await inSpace(problem, budget, async (space) => {
    const few = await firstStates(problem, budget, space);
    return few.reason === null || budget.maxStates <= FEW_STATES ? few : null;
  });
};

/** A search that gives up after few states, and can be gone on with. */
export async function firstStates(
  problem: Problem,
  budget: Budget,
  space: SearchSpace,
): Promise<Outcome> {
  const maxStates = Math.min(budget.maxStates, FEW_STATES);
  const search = new Search(space.system, space.packing, maxStates);
  const stopped = await drive(search, SLICE, budget);
  if (search.status === 'max-states') problem.begun = search;
  return concluded(
    { ...space, engine: 'search', search, isShortestFirst: true },
    maxStates,
    stopped,
  );
}
