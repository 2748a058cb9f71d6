// What one role's work on one unit knows of memory: a queue for each level.
import type { Knowledge, SetId } from '../knowledge.ts';
import { UnitQueue } from '../unit-queue.ts';
import { FENCED, RELEASED, TENSOR, TENSOR_FENCED, VISIBLE } from './rows.ts';

/** The rows of a queue: what is released, visible, fenced, and its own tensor memory. */
const ROWS = [RELEASED, VISIBLE, FENCED, TENSOR] as const;

/** The work of a role on a unit, at each level. */
export class LevelQueue {
  readonly #know: Knowledge;
  readonly #queues: readonly UnitQueue[];
  /** Accesses to tensor memory that the work itself made (T03). */
  readonly #own: UnitQueue;

  constructor(know: Knowledge, isInOrder: boolean, groups: number) {
    this.#know = know;
    this.#queues = ROWS.map(() => new UnitQueue(know, isInOrder, groups));
    this.#own = new UnitQueue(know, isInOrder, groups);
  }

  /** A flight with rows from `row` on begins: it knows what is before it in order. */
  begin(row: SetId, isSignal: boolean): void {
    const know = this.#know;
    for (const [index, queue] of this.#queues.entries()) {
      const before = isSignal ? queue.work : queue.thread;
      if (before >= 0) know.join(row + ROWS[index]!, before);
    }
    const own = isSignal ? this.#own.work : this.#own.thread;
    if (own >= 0) know.join(row + TENSOR_FENCED, own);
  }

  /** Its accesses are made; `own` are those to tensor memory. */
  add(row: SetId, own: SetId): void {
    const know = this.#know;
    for (const [index, queue] of this.#queues.entries()) {
      know.join(queue.work, row + ROWS[index]!);
      if (queue.thread >= 0) know.join(queue.thread, row + ROWS[index]!);
    }
    know.join(this.#own.work, own);
    if (this.#own.thread >= 0) know.join(this.#own.thread, own);
  }

  /** T04: what work did itself to tensor memory, or of a signal, what the work before it did. */
  joinOwn(to: SetId, own: SetId, isSignal: boolean): void {
    const { thread, work } = this.#own;
    if (isSignal) return this.#know.join(to, work);
    this.#know.join(to, own);
    if (thread >= 0) this.#know.join(to, thread);
  }

  closeGroup(): void {
    for (const queue of this.#queues) queue.closeGroup();
    this.#own.closeGroup();
  }

  /** A thread learns what all groups but the newest `open` know. */
  waitFor(row: SetId, open: number): void {
    for (const [index, queue] of this.#queues.entries()) queue.waitFor(row + ROWS[index]!, open);
    this.#own.waitFor(row + TENSOR_FENCED, open);
  }

  /**
   * G01: the same of the groups of another member of a team, which are over and no more: this is no
   * signal of that member to the one who waits, and nothing becomes visible.
   */
  waitForMember(row: SetId, open: number): void {
    for (const [index, queue] of this.#queues.entries()) {
      const level = ROWS[index]!;
      if (level === RELEASED || level === TENSOR) queue.waitFor(row + level, open);
    }
  }

  /** A thread learns of all work, at every level. */
  learnAll(row: SetId): void {
    for (const level of ROWS) this.#know.join(row + level, this.#queues[0]!.work);
    this.#know.join(row + TENSOR_FENCED, this.#own.work);
  }
}
