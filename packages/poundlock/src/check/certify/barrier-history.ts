// The conditions M, L, U, E and X on one barrier, checked while its phases go by (T1, T2).
import type { Knowledge, SetId } from './knowledge.ts';

/** The condition that failed. */
export type Condition = 'M' | 'L' | 'U' | 'E' | 'X' | 'R' | 'D';

/**
 * What happens-before needs to know of a barrier: who contributed to the open phase and to the two
 * before it, who waited for the last one, and what the open and the last phase know.
 */
export class BarrierHistory {
  readonly #know: Knowledge;
  readonly #open: SetId;
  readonly #last: SetId;
  readonly #current: SetId;
  readonly #previous: SetId;
  readonly #beforePrevious: SetId;
  /** Waits for the last phase that nothing of the open one knows yet. */
  readonly #observers: SetId;
  /** Expects of the open phase that no arrival of it knows yet. */
  readonly #expects: SetId;
  readonly #born: SetId;
  readonly isCounter: boolean;

  constructor(know: Knowledge, isCounter: boolean) {
    this.#know = know;
    this.isCounter = isCounter;
    this.#open = know.addRow();
    this.#last = know.addRow();
    this.#current = know.addList();
    this.#previous = know.addList();
    this.#beforePrevious = know.addList();
    this.#observers = know.addList();
    this.#expects = know.addList();
    this.#born = know.addList();
  }

  /** The list that not every contribution takes its events off: see `canonical.ts`. */
  get expects(): SetId {
    return this.#expects;
  }

  /** M: the last event of `row` contributes, and everything of the phase before comes before it. */
  contribute(row: SetId, isArrival: boolean): Condition | null {
    const know = this.#know;
    if (!know.knows(row, this.#previous)) return 'M';
    know.join(this.#open, row);
    know.put(this.#current, row);
    know.forget(this.#observers, row);
    if (isArrival) know.forget(this.#expects, row);
    return null;
  }

  /** The last contribution of `row` expects bytes, and is no arrival. */
  expect(row: SetId): void {
    this.#know.put(this.#expects, row);
  }

  /** X: a copy is issued when the phase before the one it belongs to is over in every run. */
  issue(row: SetId): Condition | null {
    return this.#know.knows(row, this.#previous) ? null : 'X';
  }

  /** U and E, as the open phase completes. */
  complete(): Condition | null {
    const know = this.#know;
    // A counter never laps its waiter: U asks for nothing.
    if (!this.isCounter && !know.isEmpty(this.#observers)) return 'U';
    if (!know.isEmpty(this.#expects)) return 'E';
    know.copy(this.#beforePrevious, this.#previous);
    know.copy(this.#previous, this.#current);
    know.copy(this.#last, this.#open);
    know.clear(this.#current);
    know.clear(this.#open);
    return null;
  }

  /** L: whether the phase before the one that is waited for is over where `row` stands. */
  permits(row: SetId): boolean {
    return this.isCounter || this.#know.knows(row, this.#beforePrevious);
  }

  /** `row` has seen the last phase complete. */
  observe(row: SetId): void {
    const know = this.#know;
    know.join(row, this.#last);
    know.event(row);
    know.put(this.#observers, row);
  }

  /** R08: whether `row` knows that the last phase, or the one before it, is over. */
  isOver(row: SetId, phasesBack: number): boolean {
    if (phasesBack > 1) return false;
    return this.#know.knows(row, phasesBack === 0 ? this.#previous : this.#beforePrevious);
  }

  /** Whether `row` knows that the barrier's life has begun. */
  isBornBefore(row: SetId): boolean {
    return this.#know.knows(row, this.#born);
  }

  /**
   * Whether everything that reached the barrier comes before where `row` stands. Older phases are
   * known through these: by M their contributions, by U their waits.
   */
  isLeftBefore(row: SetId): boolean {
    const know = this.#know;
    const isQuiet = know.knows(row, this.#current) && know.knows(row, this.#previous);
    return isQuiet && know.knows(row, this.#observers);
  }

  /** The last event of `row` begins a new life. */
  begin(row: SetId): void {
    const know = this.#know;
    know.event(row);
    for (const list of [this.#open, this.#last, this.#current, this.#previous]) know.clear(list);
    for (const list of [this.#beforePrevious, this.#observers, this.#expects]) know.clear(list);
    know.clear(this.#born);
    know.put(this.#born, row);
  }
}
