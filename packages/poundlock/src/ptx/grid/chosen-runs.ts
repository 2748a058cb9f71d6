// The runs of all that the order of blocks decides: one for each way to choose.
import { alternatives, ANY, nameOf, restOf, textOf } from './choices.ts';
import type { Wanted } from './choices.ts';
import type { GridOutcome } from './grid-run.ts';
import type { WordPlans } from './word-plan.ts';

/** The most ways to choose, runs in which they are looked for, and runs that are still to make. */
const MAX_WAYS = 64;
const MAX_TRIES = 8 * MAX_WAYS;

/** A run by what it chose, and what it showed of words. */
export interface Way {
  readonly choices: Wanted;
  readonly plans: WordPlans;
}

/** All ways to choose; none where they are not known, and why. */
export interface ChosenRuns {
  readonly ways: readonly Way[];
  readonly why: 'undecided' | 'too many' | null;
}

/**
 * Makes runs until all that might have been chosen instead has been: with all that the run chose
 * beside it, as far as that is possible then.
 */
export function chosenRuns(
  run: (choices: Wanted) => GridOutcome,
  isUsable: (outcome: GridOutcome) => boolean,
  isOver: () => boolean,
): ChosenRuns {
  const ways = new Map<string, Way>();
  const questions = new Set<string>();
  const open: Wanted[] = [ANY];
  for (let tries = 0; open.length > 0; tries++) {
    if (ways.size > MAX_WAYS || tries >= MAX_TRIES || open.length > MAX_TRIES || isOver())
      return { ways: [], why: 'too many' };
    const wanted = open.shift()!;
    const outcome = run(wanted);
    if (outcome.execution === null) return { ways: [], why: 'undecided' };
    const choices = outcome.execution.machine.choices!;
    // Relaxed accesses may find what is overwritten in each order.
    const isOpen = outcome.isImpossible === true || choices.isReleased;
    if (isOpen && wanted.isInTurn) open.unshift({ ...wanted, isInTurn: false });
    // What others have to do first is chosen first in another run.
    if (outcome.isImpossible) continue;
    if (!isUsable(outcome)) return { ways: [], why: 'undecided' };
    const { list, older } = choices;
    const text = textOf(list);
    const isInTurn = older === null;
    const known = ways.get(text);
    if (known !== undefined && (known.choices.isInTurn || !isInTurn)) continue;
    ways.set(text, { choices: { instead: null, rest: list, isInTurn }, plans: outcome.plans });
    for (const instead of alternatives(list)) {
      const rest = restOf(list, instead);
      const question = `${isInTurn} ${nameOf(instead)} ${textOf([...rest, instead])}`;
      if (questions.has(question)) continue;
      questions.add(question);
      open.push({ instead, rest, isInTurn });
    }
  }
  return { ways: [...ways.values()], why: null };
}
