// Builds a schedule that goes wrong from one run, and shows a shorter one if few states have it.
import { construct } from '../witness-outcome.ts';
import { hasError } from '../outcome.ts';
import type { Decide } from './decider.ts';
import { firstStates } from './few-states.ts';
import { inSpace } from './in-space.ts';

/** A counterexample, shown by a replay on the machine, or nothing: it never certifies. */
export const buildWitness: Decide = async (problem, budget) => {
  const built = construct(problem.ownSystem(), problem.failureAgain?.() ?? null);
  if (built === null) return null;
  const searched = await inSpace(problem, budget, (space) => firstStates(problem, budget, space));
  return searched !== null && hasError(searched) ? searched : built;
};
