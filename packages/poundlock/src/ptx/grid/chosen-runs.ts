// The runs of all that the order of blocks decides: one for each way to choose.
import { alternatives } from './choices.ts';
import type { Choice, Forced } from './choices.ts';
import type { GridOutcome } from './grid-run.ts';
import type { WordPlans } from './word-plan.ts';

/** The most ways to choose, runs in which they are looked for, and runs that are still to make. */
const MAX_WAYS = 64;
const MAX_TRIES = 4 * MAX_WAYS;
const MAX_OPEN = 2 * MAX_WAYS;

/** A run by what it chose, and what it showed of words. */
export interface Way {
  readonly choices: Forced;
  readonly plans: WordPlans;
}

/** All ways to choose; none where they are not known, and why. */
export interface ChosenRuns {
  readonly ways: readonly Way[];
  readonly why: 'undecided' | 'too many' | null;
}

/** Makes runs until all that might have been chosen instead has been. */
export function chosenRuns(
  run: (forced: Forced) => GridOutcome,
  isUsable: (outcome: GridOutcome) => boolean,
  isOver: () => boolean,
): ChosenRuns {
  const ways: Way[] = [];
  const open: (readonly Choice[])[] = [[]];
  for (let tries = 0; open.length > 0; tries++) {
    const areTooMany = ways.length >= MAX_WAYS || tries >= MAX_TRIES || open.length > MAX_OPEN;
    if (areTooMany || isOver()) return { ways: [], why: 'too many' };
    const forced = open.pop()!;
    let isInTurn = true;
    let outcome = run({ forced, isInTurn });
    // Relaxed accesses may find what is overwritten in each order.
    if (outcome.isImpossible) outcome = run({ forced, isInTurn: (isInTurn = false) });
    // What others have to do first is chosen first in another run.
    if (outcome.isImpossible) continue;
    if (!isUsable(outcome)) return { ways: [], why: 'undecided' };
    const { list } = outcome.execution!.machine.choices!;
    ways.push({ choices: { forced: list, isInTurn }, plans: outcome.plans });
    open.push(...alternatives(list, forced));
  }
  return { ways, why: null };
}
