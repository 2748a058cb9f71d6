// The runs of all that the order of blocks decides: one for each way to choose.
import { alternatives, ANY, nameOf, restOf, textOf } from './choices.ts';
import type { Choice, Wanted } from './choices.ts';
import type { GridOutcome } from './grid-run.ts';
import type { WordPlans } from './word-plan.ts';
import { unseenOrder } from './word-orders.ts';
import type { Gap, LoggedRun } from './word-orders.ts';

/** The most ways to choose, runs in which they are looked for, and runs that are still to make. */
const MAX_WAYS = 64;
const MAX_TRIES = 8 * MAX_WAYS;
/** The most ways that are searched for errors where they are not all known. */
const MAX_PART = 16;

/** A run by what it chose, and what it showed of words. */
export interface Way {
  readonly choices: Wanted;
  readonly plans: WordPlans;
  readonly run: LoggedRun;
}

/** All ways to choose, or some of them, and why. */
export interface ChosenRuns {
  readonly ways: readonly Way[];
  readonly why: 'undecided' | 'too many' | null;
  /** Whether a search of all orders of what warps do with words finds no other ones. */
  readonly areAll: boolean;
}

/** Runs a grid with choices, and whether such a run is understood. */
export interface Runner {
  readonly run: (choices: Wanted) => GridOutcome;
  readonly isUsable: (outcome: GridOutcome) => boolean;
  readonly isOver: () => boolean;
}

/**
 * Makes runs until they show all orders that a search finds. Where it cannot tell, all that might
 * have been chosen instead is: with all that the run chose beside it, as far as that is possible.
 */
export function chosenRuns(runner: Runner): ChosenRuns {
  return new Runs(runner).all();
}

class Runs {
  readonly #runner: Runner;
  readonly #ways = new Map<string, Way>();
  readonly #questions = new Set<string>();
  readonly #open: Wanted[] = [ANY];
  #tries = 0;

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  all(): ChosenRuns {
    const tries = new Map<string, number>();
    for (;;) {
      const why = this.#close();
      const ways = [...this.#ways.values()];
      if (why !== null) return { ways: ways.slice(0, MAX_PART), why, areAll: false };
      const orders = unseenOrder(ways.map(({ run }) => run));
      if (orders.are === 'shown') return { ways, why: null, areAll: true };
      const text = orders.are === 'missing' ? textOfGap(orders.gap) : '';
      const count = tries.get(text) ?? 0;
      tries.set(text, count + 1);
      // A run that finds old values may show it; others are looked for without the search.
      if (orders.are === 'missing' && count < 2)
        this.#open.push({ ...orders.gap, isInTurn: count === 0 });
      else if (!this.#openAll()) return { ways, why: null, areAll: false };
    }
  }

  /** Looks for all that might have been chosen instead, possible or not; whether that is new. */
  #openAll(): boolean {
    for (const { choices } of this.#ways.values()) this.#openOthers(choices);
    return this.#open.length > 0;
  }

  /** Makes all runs that are open. */
  #close(): ChosenRuns['why'] {
    const { isOver, isUsable, run } = this.#runner;
    const open = this.#open;
    for (; open.length > 0; this.#tries++) {
      const isMuch = this.#ways.size > MAX_WAYS || this.#tries >= MAX_TRIES;
      if (isMuch || open.length > MAX_TRIES || isOver()) return 'too many';
      const wanted = open.shift()!;
      const outcome = run(wanted);
      if (outcome.execution === null) return 'undecided';
      const choices = outcome.execution.machine.choices!;
      // Relaxed accesses may find what is overwritten in each order.
      const isOpen = outcome.isImpossible === true || choices.isReleased;
      if (isOpen && wanted.isInTurn) open.unshift({ ...wanted, isInTurn: false });
      // What others have to do first is chosen first in another run.
      if (outcome.isImpossible) continue;
      if (!isUsable(outcome)) return 'undecided';
      this.#add(outcome);
    }
    return null;
  }

  #add({ execution, plans }: GridOutcome): void {
    const { choices, words } = execution!.machine;
    const { list, older, log } = choices!;
    const text = textOf(list);
    const isInTurn = older === null;
    const known = this.#ways.get(text);
    if (known !== undefined && (known.choices.isInTurn || !isInTurn)) return;
    const initial = new Map([...words!.histories].map(([word, each]) => [word, each.initial]));
    const run = { choices: list, log, initial };
    this.#ways.set(text, { choices: { instead: null, rest: list, isInTurn }, plans, run });
  }

  #openOthers({ rest: list, isInTurn }: Wanted): void {
    for (const instead of alternatives(list)) {
      const rest = restOf(list, instead);
      const question = `${isInTurn} ${nameOf(instead)} ${textOf([...rest, instead])}`;
      if (this.#questions.has(question)) continue;
      this.#questions.add(question);
      this.#open.push({ instead, rest, isInTurn });
    }
  }
}

function textOfGap({ rest, instead }: Gap): string {
  const all: readonly Choice[] = instead === null ? rest : [...rest, instead];
  return `${textOf(all)} ${instead === null ? '' : nameOf(instead)}`;
}
