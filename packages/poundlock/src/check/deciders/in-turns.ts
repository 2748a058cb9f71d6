// Searches with and without reduction in turns: which of them ends first is not known before.
import { invariant } from '@poundlock/core/internal/base';
import type { Budget, Searched } from '../budget.ts';
import { REDUCED_SLICE, SLICE, TURN_STATES } from '../options.ts';
import { hasError, type Outcome } from '../outcome.ts';
import type { Problem } from '../problem.ts';
import { ReducedSearch } from '../reduce/index.ts';
import { Search } from '../search.ts';
import type { SearchSpace } from '../search-space.ts';
import type { Decide } from './decider.ts';
import { concluded, drive, progressOf } from './drive.ts';
import { inSpace } from './in-space.ts';

/**
 * Decides by what ends first; what the reduced search finds the other may show in fewer steps. Both
 * are of one system: one restarts where the other has learned what makes its states stale.
 */
export const searchInTurns: Decide = async (problem, budget) => {
  return await inSpace(problem, budget, (space) => new Turns(problem, budget, space).run());
};

class Turns {
  readonly #budget: Budget;
  readonly #space: SearchSpace;
  readonly #most: number;
  readonly #reduced: ReducedSearch;
  /** `null` after its bound: its states are given back. */
  #plain: Search | null;

  constructor(problem: Problem, budget: Budget, space: SearchSpace) {
    const { system, packing } = space;
    this.#budget = budget;
    this.#space = space;
    this.#most = Math.min(budget.maxStates, TURN_STATES);
    this.#plain = problem.begun ?? new Search(system, packing, this.#most);
    this.#plain.allow(this.#most);
    problem.begun = null;
    this.#reduced = new ReducedSearch(system, packing, budget.maxStates);
  }

  async run(): Promise<Outcome> {
    try {
      return await this.#run();
    } finally {
      this.#budget.searched.progress = this.#progress;
    }
  }

  /** What both searches have seen. */
  get #progress(): Searched {
    const [reduced, plain] = [this.#reduced, this.#plain];
    return {
      states: reduced.states + (plain?.states ?? 0),
      transitions: reduced.transitions + (plain?.transitions ?? 0),
      unfinished: progressOf(reduced),
    };
  }

  async #run(): Promise<Outcome> {
    const reduced = this.#reduced;
    let stopped: string | null = null;
    while (stopped === null && reduced.run(REDUCED_SLICE) === 'running') {
      const plain = this.#takePlainTurn();
      if (plain !== null) return plain;
      this.#budget.show(reduced);
      await this.#budget.pause();
      stopped = this.#budget.stopReason();
    }
    const done = { ...this.#space, engine: 'reduced', search: reduced } as const;
    const { maxStates } = this.#budget;
    const outcome = concluded({ ...done, isShortestFirst: false }, maxStates, stopped);
    if (stopped !== null && !hasError(outcome)) return { ...outcome, ...this.#progress };
    if (stopped !== null || (outcome.reason === null && !hasError(outcome))) return outcome;
    return (await this.#toTheEnd(hasError(outcome))) ?? outcome;
  }

  /** What the search without reduction comes to, if it is over now. */
  #takePlainTurn(): Outcome | null {
    const search = this.#plain;
    if (search === null || search.run(SLICE) === 'running') return null;
    if (search.status !== 'max-states') return this.#ofPlain(search, null);
    this.#plain = null;
    return null;
  }

  /** The search without reduction alone: `null` where a bound ends it. */
  async #toTheEnd(isWrong: boolean): Promise<Outcome | null> {
    const search = this.#plain;
    if (search === null) return null;
    const outcome = this.#ofPlain(search, await drive(search, SLICE, this.#budget));
    if (outcome.reason !== null) return null;
    invariant(hasError(outcome) || !isWrong, 'a full search confirms what a reduced one finds');
    return outcome;
  }

  #ofPlain(search: Search, stopped: string | null): Outcome {
    const done = { ...this.#space, engine: 'search', search, isShortestFirst: true } as const;
    return concluded(done, this.#most, stopped);
  }
}
