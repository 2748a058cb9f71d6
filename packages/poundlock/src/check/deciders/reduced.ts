// Searches with reduction: few of the interleavings, and whatever is wrong in any of them.
import { invariant } from '@poundlock/core/internal/base';
import { CONFIRM_STATES, REDUCED_SLICE } from '../options.ts';
import { hasError } from '../outcome.ts';
import { ReducedSearch } from '../reduce/index.ts';
import type { Decide } from './decider.ts';
import { concluded, drive } from './drive.ts';
import { searchPlainly } from './full.ts';
import { inSpace } from './in-space.ts';

/** Searches to the end or to a bound; what it finds a full search may show in fewer steps. */
export const searchReduced: Decide = async (problem, budget) => {
  return await inSpace(problem, budget, async (space) => {
    const { maxStates } = budget;
    const search = new ReducedSearch(space.system, space.packing, maxStates);
    const stopped = await drive(search, REDUCED_SLICE, budget);
    const done = { ...space, engine: 'reduced', search, isShortestFirst: false } as const;
    const reduced = concluded(done, maxStates, stopped);
    if (!hasError(reduced)) return reduced;
    const states = Math.min(maxStates, CONFIRM_STATES);
    const shortest = await searchPlainly(problem, budget, space, states);
    if (shortest.reason !== null) return reduced;
    invariant(hasError(shortest), 'the full search confirms what the reduced search finds');
    return shortest;
  });
};
