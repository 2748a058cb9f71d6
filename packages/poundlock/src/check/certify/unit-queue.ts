// Asynchronous work in a certificate: what one role's work on one unit knows.
import type { Knowledge, SetId } from './knowledge.ts';

/** The most groups of a unit that a wait can leave open (bound `open-groups`). */
export const MAX_GROUPS = 64;

/** One role's queue on one unit: what its work knows, and its last groups. */
export class UnitQueue {
  readonly #know: Knowledge;
  /** For an in-order unit, the row of all its work; −1 for others. */
  readonly thread: SetId;
  /** What all work so far knows. */
  readonly work: SetId;
  /** What the newest groups know, the newest first, and all older ones together. */
  readonly #groups: SetId[] = [];
  readonly #older: SetId;

  constructor(know: Knowledge, isInOrder: boolean, groups: number) {
    this.#know = know;
    this.thread = isInOrder ? know.addRow() : -1;
    this.work = know.addRow();
    this.#older = know.addRow();
    for (let group = 0; group < groups; group++) this.#groups.push(know.addRow());
  }

  get isInOrder(): boolean {
    return this.thread >= 0;
  }

  /** All rows of the queue, always in the same order. */
  rows(): SetId[] {
    const rows = [this.work, this.#older, ...this.#groups];
    return this.isInOrder ? [this.thread, ...rows] : rows;
  }

  /** Closes a group: it is complete when all work so far is. */
  closeGroup(): void {
    const know = this.#know;
    const groups = this.#groups;
    const { length } = groups;
    if (length === 0) return know.copy(this.#older, this.work);
    know.join(this.#older, groups[length - 1]!);
    for (let group = length - 1; group > 0; group--) know.copy(groups[group]!, groups[group - 1]!);
    know.copy(groups[0]!, this.work);
  }

  /** `row` learns what all groups but the newest `open` know; `false` if that is too far back. */
  waitFor(row: SetId, open: number): boolean {
    const groups = this.#groups;
    if (open > groups.length) return false;
    this.#know.join(row, this.#older);
    for (let group = open; group < groups.length; group++) this.#know.join(row, groups[group]!);
    return true;
  }
}
