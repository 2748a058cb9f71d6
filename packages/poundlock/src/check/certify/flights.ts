// Asynchronous work in a certificate: which thread each flight is an event of.
import type { Clocks } from './clocks.ts';

/** The most groups of a unit that a wait can leave open. */
export const MAX_GROUPS = 64;

/** One role's queue on one unit: what its work knows, and its last groups. */
export class UnitQueue {
  readonly #clocks: Clocks;
  /** For an in-order unit, the thread that all its work belongs to. */
  readonly thread: number;
  /** The row that knows all work so far. */
  readonly work: number;
  readonly #groups: number[] = [];
  /** The row of all groups older than those that are kept. */
  readonly #older: number;
  #closed = 0;

  constructor(clocks: Clocks, isInOrder: boolean) {
    this.#clocks = clocks;
    this.thread = isInOrder ? clocks.addThread() : -1;
    this.work = clocks.addRow();
    this.#older = clocks.addRow();
  }

  /** Closes a group: it is complete when all work so far is. */
  closeGroup(): void {
    const slot = this.#closed % MAX_GROUPS;
    if (this.#closed < MAX_GROUPS) this.#groups.push(this.#clocks.addRow());
    else this.#clocks.join(this.#older, this.#groups[slot]!);
    this.#clocks.copy(this.#groups[slot]!, this.work);
    this.#closed++;
  }

  /** `row` learns what all groups but the newest `open` know; `false` if that is too far back. */
  waitFor(row: number, open: number): boolean {
    const kept = Math.min(this.#closed, MAX_GROUPS);
    if (open > kept && this.#closed > kept) return false;
    if (this.#closed > kept) this.#clocks.join(row, this.#older);
    for (let back = open; back < kept; back++) {
      this.#clocks.join(row, this.#groups[(this.#closed - 1 - back) % MAX_GROUPS]!);
    }
    return true;
  }
}

/**
 * Threads for flights that land in any order. A flight continues a chain whose last event its
 * issuer knows; otherwise it opens a new one, so that no order is made up.
 */
export class Chains {
  readonly #clocks: Clocks;
  readonly #threads: number[] = [];
  #next = 0;
  /** A row for a clock that no thread has. */
  #joined: number | null = null;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  /** As {@link start}, for an event that comes after two rows. */
  startAfter(row: number, other: number): number {
    const clocks = this.#clocks;
    this.#joined ??= clocks.addRow();
    clocks.copy(this.#joined, row);
    clocks.join(this.#joined, other);
    return this.start(this.#joined);
  }

  /** A thread whose clock becomes that of `row`, with a new event. */
  start(row: number): number {
    const clocks = this.#clocks;
    const count = this.#threads.length;
    for (let tried = 0; tried < count; tried++) {
      const slot = (this.#next + tried) % count;
      const thread = this.#threads[slot]!;
      if (!clocks.knows(row, thread, clocks.now(thread))) continue;
      this.#next = slot + 1;
      clocks.join(clocks.threadRows[thread]!, row);
      clocks.tick(thread);
      return thread;
    }
    const thread = clocks.addThread();
    this.#threads.push(thread);
    clocks.join(clocks.threadRows[thread]!, row);
    clocks.tick(thread);
    return thread;
  }
}
