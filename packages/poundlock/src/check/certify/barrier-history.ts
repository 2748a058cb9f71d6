// The conditions M, L, U, E and X on one barrier, checked while its phases go by (T1, T2).
import type { Knowledge, SetId } from './knowledge.ts';
import type { Lack } from './run-place.ts';

/** The condition that failed. */
export type Condition = 'M' | 'L' | 'U' | 'E' | 'X' | 'R' | 'D';

/** What the last phase knows; `open` itself, at 0, is what the open phase knows. */
const LAST = 1;
/** Contributions to the open phase, and to the two before it. */
const CURRENT = 2;
const PREVIOUS = 3;
const BEFORE_PREVIOUS = 4;
/** Waits for the last phase that nothing of the open one knows yet. */
const OBSERVERS = 5;
/** Expects of the open phase that no arrival of it knows yet. */
const EXPECTS = 6;

/**
 * What happens-before needs of a barrier: the contributions to the open phase and to the two before
 * it, the waits for the last one, and what the open and the last phase know.
 */
export class BarrierHistory {
  readonly #know: Knowledge;
  /** The sets of a barrier follow one another, from its open row on; see the constants below. */
  readonly #open: SetId;
  readonly #born: SetId;
  readonly isCounter: boolean;
  /** C02: by phase, what it knows; `null` where waits come within a phase. */
  readonly #phases: SetId[] | null;

  constructor(know: Knowledge, isCounter: boolean, keepsPhases = false) {
    this.#phases = keepsPhases ? [] : null;
    this.#know = know;
    this.isCounter = isCounter;
    this.#open = know.addRow();
    know.addRow();
    for (let list = CURRENT; list < EXPECTS; list++) know.addList();
    // An arrival must know of an expect, which is more than that its role does.
    know.addList(true);
    this.#born = know.addList();
  }

  /** M: the last event of `row` contributes, and everything of the phase before comes before it. */
  contribute(row: SetId, isArrival: boolean): Condition | null {
    const know = this.#know;
    const { words, bits } = know;
    know.noteRead(this.#open + PREVIOUS);
    know.noteRead(this.#open + OBSERVERS);
    const [at, known] = [this.#open * words, row * words];
    // Where M fails the run is over, with some words changed and some not.
    for (let w = 0; w < words; w++) {
      const own = bits[known + w]!;
      if ((bits[at + PREVIOUS * words + w]! & ~own) !== 0) return 'M';
      bits[at + w]! |= own;
      bits[at + CURRENT * words + w]! &= ~own;
      bits[at + OBSERVERS * words + w]! &= ~own;
      if (isArrival) bits[at + EXPECTS * words + w]! &= ~own;
    }
    know.add(this.#open + CURRENT);
    know.share(row);
    return null;
  }

  /** The last contribution of `row` expects bytes, and is no arrival. */
  expect(row: SetId): void {
    this.#know.put(this.#open + EXPECTS, row);
  }

  /** X: a copy is issued when the phase before the one it belongs to is over in every run. */
  issue(row: SetId): Condition | null {
    return this.#know.knows(row, this.#open + PREVIOUS) ? null : 'X';
  }

  /** U and E, as the open phase completes, of which so many were complete before. */
  complete(before: number): Condition | null {
    const know = this.#know;
    const { words, bits } = know;
    // A counter never laps its waiter: U holds.
    if (!this.isCounter && !know.isEmpty(this.#open + OBSERVERS)) return 'U';
    if (!know.isEmpty(this.#open + EXPECTS)) return 'E';
    know.flow(this.#open + CURRENT, this.#open + PREVIOUS);
    know.flow(this.#open + PREVIOUS, this.#open + BEFORE_PREVIOUS);
    const at = this.#open * words;
    for (let w = 0; w < words; w++) {
      bits[at + LAST * words + w] = bits[at + w]!;
      bits[at + w] = 0;
      bits[at + BEFORE_PREVIOUS * words + w] = bits[at + PREVIOUS * words + w]!;
      bits[at + PREVIOUS * words + w] = bits[at + CURRENT * words + w]!;
      bits[at + CURRENT * words + w] = 0;
    }
    if (this.#phases !== null) {
      this.#phases[before] ??= know.addRow();
      know.copy(this.#phases[before], this.#open + LAST);
    }
    return null;
  }

  /**
   * L: whether the phase before the one that is waited for is over where `row` stands. The one that
   * is waited for is the last, or else (`isOver` is false) the open one or one after it.
   */
  permits(row: SetId, isOver: boolean): boolean {
    const before = isOver ? BEFORE_PREVIOUS : PREVIOUS;
    return this.isCounter || this.#know.knows(row, this.#open + before);
  }

  /** `row` has seen the last phase complete. */
  observe(row: SetId): void {
    this.#know.joinAndPut(row, this.#open + LAST, this.#open + OBSERVERS);
  }

  /** Whether a wait may come any number of phases late: what each of them knows is kept (C02). */
  get keepsPhases(): boolean {
    return this.#phases !== null;
  }

  /** `row` has seen a phase complete, which may not be the last. */
  observePhase(row: SetId, phase: number): void {
    const known = this.#phases?.[phase];
    if (known !== undefined) this.#know.join(row, known);
  }

  /** R08: whether `row` knows that the last phase, or the one before it, is over. */
  isOver(row: SetId, phasesBack: number): boolean {
    if (phasesBack > 1) return false;
    return this.#know.knows(row, this.#open + PREVIOUS + phasesBack);
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
    const lists = [CURRENT, PREVIOUS, OBSERVERS];
    return lists.every((list) => know.knows(row, this.#open + list));
  }

  /** What failed there: what `row`, or nothing at all where it is an empty one, does not know. */
  lackOf(condition: Condition, row: SetId): Lack {
    const lists: Readonly<Partial<Record<Condition, readonly number[]>>> = {
      M: [PREVIOUS],
      X: [PREVIOUS],
      L: [BEFORE_PREVIOUS, PREVIOUS],
      U: [OBSERVERS],
      E: [EXPECTS],
      R: [CURRENT, PREVIOUS, OBSERVERS],
    };
    const all = (lists[condition] ?? []).map((list) => this.#open + list);
    const isLacking = (list: SetId): boolean => !this.#know.knows(row, list);
    return { row, list: all.find(isLacking) ?? this.#open + CURRENT };
  }

  /** That the life has begun, which `row` does not know. */
  birthOf(row: SetId): Lack {
    return { row, list: this.#born };
  }

  /** An event of `row` ends the life. Like all that reached the barrier it precedes the next. */
  end(row: SetId): void {
    this.#know.event(row);
    this.#know.put(this.#open + CURRENT, row);
  }

  /** The last event of `row` begins a new life. */
  begin(row: SetId): void {
    const know = this.#know;
    know.event(row);
    for (let set = this.#open; set <= this.#open + EXPECTS; set++) know.clear(set);
    know.clear(this.#born);
    know.put(this.#born, row);
  }
}
