// The conditions M, L, U and E on one barrier, checked while its phases go by (T1, T2).
import type { Clocks } from './clocks.ts';
import { Events } from './events.ts';

/** The condition that failed, or `null`. */
export type Condition = 'M' | 'L' | 'U' | 'E' | 'X' | 'R' | 'D';

/**
 * What happens-before needs to know of a barrier: who contributed to the open phase and to the two
 * before it, who waited for the last one, and what those phases know together.
 */
export class BarrierHistory {
  readonly #clocks: Clocks;
  #current = new Events();
  #previous = new Events();
  #beforePrevious = new Events();
  readonly #observers = new Events();
  readonly #expects = new Events();
  /** Rows: what the open phase knows, what its arrivals know, what the last phase knew. */
  readonly #open: number;
  readonly #arrivals: number;
  readonly last: number;
  completed = 0;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#open = clocks.addRow();
    this.#arrivals = clocks.addRow();
    this.last = clocks.addRow();
  }

  /** M: everything of the phase before comes before this contribution of `thread`. */
  contribute(thread: number, isArrival: boolean, isExpect: boolean): Condition | null {
    const clocks = this.#clocks;
    const row = clocks.threadRows[thread]!;
    if (!this.#previous.allKnown(clocks, row)) return 'M';
    clocks.join(this.#open, row);
    const index = clocks.now(thread);
    this.#current.push(thread, index);
    if (isArrival) clocks.join(this.#arrivals, row);
    else if (isExpect) this.#expects.push(thread, index);
    return null;
  }

  /** X: a copy is issued when the phase before the one it belongs to is over in every run. */
  issue(row: number): Condition | null {
    return this.#previous.allKnown(this.#clocks, row) ? null : 'X';
  }

  /** U and E, as the open phase completes. */
  complete(): Condition | null {
    const clocks = this.#clocks;
    if (!this.#observers.allKnown(clocks, this.#open)) return 'U';
    if (!this.#expects.allKnown(clocks, this.#arrivals)) return 'E';
    const recycled = this.#beforePrevious;
    this.#beforePrevious = this.#previous;
    this.#previous = this.#current;
    this.#current = recycled;
    recycled.clear();
    clocks.copy(this.last, this.#open);
    clocks.clear(this.#open);
    clocks.clear(this.#arrivals);
    this.#observers.clear();
    this.#expects.clear();
    this.completed++;
    return null;
  }

  /** L: the phase before the one that `thread` waits for is over when it comes to the wait. */
  observe(thread: number, isCounter: boolean): Condition | null {
    const clocks = this.#clocks;
    const row = clocks.threadRows[thread]!;
    if (!isCounter && !this.#beforePrevious.allKnown(clocks, row)) return 'L';
    if (this.completed > 0) clocks.join(row, this.last);
    const index = clocks.tick(thread);
    // A counter never laps its waiter: U asks for nothing.
    if (!isCounter) this.#observers.put(thread, index);
    return null;
  }
}
