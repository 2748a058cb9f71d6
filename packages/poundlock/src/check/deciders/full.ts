// Searches every state without reduction, breadth first.
import type { Budget } from '../budget.ts';
import { exampleOf } from '../explain-violations.ts';
import { SLICE } from '../options.ts';
import type { Outcome } from '../outcome.ts';
import type { Problem } from '../problem.ts';
import { Search } from '../search.ts';
import type { SearchSpace } from '../search-space.ts';
import type { Decide } from './decider.ts';
import { concluded, drive } from './drive.ts';
import { inSpace } from './in-space.ts';

/** Decides unless a bound is reached, which ends the check. */
export const searchFully: Decide = async (problem, budget) => {
  const { maxStates } = budget;
  return await inSpace(problem, budget, (space) =>
    searchPlainly(problem, budget, space, maxStates),
  );
};

/** A search of at most `maxStates` states. */
export async function searchPlainly(
  problem: Problem,
  budget: Budget,
  space: SearchSpace,
  maxStates: number,
): Promise<Outcome> {
  const { question } = problem;
  const { system, names, packing } = space;
  const search = new Search(system, packing, maxStates);
  const stopped = await drive(search, SLICE, budget);
  const done = { system, names, engine: 'search', search, isShortestFirst: true } as const;
  const outcome = concluded(done, maxStates, stopped);
  const best = question.example === true ? search.example() : null;
  return best === null ? outcome : { ...outcome, example: exampleOf(system, names, best) };
}
