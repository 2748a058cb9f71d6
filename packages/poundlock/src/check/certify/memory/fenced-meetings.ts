// H15: what threads of a block fence around a barrier at which they meet, one of them signals or
// waits for all, with an access that carries no memory by itself.
import { isWidest } from '@poundlock/core/internal/op';
import type { Knowledge, SetId } from '../knowledge.ts';
import type { Accesses } from './accesses.ts';
import { FenceRows } from './fences.ts';
import type { Mail } from './mail.ts';
import { addRows, clearRows, joinRows, ORDERED, RETAINED } from './rows.ts';

/** What passes at a barrier: rows that were fenced, and rows that relaxed waits brought. */
const AWAITED = ORDERED;
const PASSED = 2 * ORDERED;

/** The barriers of a run at which threads meet, for rows that the ISA does not let pass. */
export class FencedMeetings {
  readonly #know: Knowledge;
  readonly #threads: readonly SetId[];
  readonly #fences: FenceRows;
  readonly #accesses: Accesses;
  /** By role: what has passed to it. */
  readonly #own: readonly SetId[];
  /** By meeting: what passes when all have come. */
  readonly #open = new Map<number, SetId>();

  constructor(know: Knowledge, threads: readonly SetId[], fences: FenceRows, accesses: Accesses) {
    this.#know = know;
    this.#threads = threads;
    this.#fences = fences;
    this.#accesses = accesses;
    this.#own = threads.map(() => addRows(know, PASSED));
  }

  /** A role arrives: what it has fenced passes to all, and what its relaxed waits brought. */
  arriveAt(meeting: number, role: number): void {
    const know = this.#know;
    const open = this.#of(meeting);
    joinRows(know, open, this.#own[role]!, PASSED);
    if (this.#fences.scopes[role] === FenceRows.widest)
      joinRows(know, open, this.#threads[role]! + RETAINED, ORDERED);
  }

  leaveTogether(meeting: number, waited: readonly number[]): void {
    const open = this.#of(meeting);
    for (const role of waited) joinRows(this.#know, this.#own[role]!, open, PASSED);
    clearRows(this.#know, open, PASSED);
  }

  /** A relaxed wait of a role: those that it meets can acquire what it brings. */
  wait(role: number, order: number, mail: Mail, cta: number): void {
    const awaited = this.#own[role]! + AWAITED;
    if (isWidest(order)) mail.takeApart(awaited, awaited, cta);
  }

  /** A fence of a role acquires what others have waited for. */
  acquire(role: number): void {
    const row = this.#threads[role]!;
    if (this.#adds(this.#own[role]! + AWAITED, row)) this.#accesses.relyHere('H15');
    joinRows(this.#know, row, this.#own[role]! + AWAITED, ORDERED);
  }

  /** What a relaxed signal of a role carries of others, beside `carried`; −1: nothing. */
  signal(role: number, order: number, carried: SetId): SetId {
    const own = this.#own[role]!;
    if (!isWidest(order) || !this.#adds(own, carried)) return -1;
    this.#accesses.relyHere('H15');
    return own;
  }

  #adds(rows: SetId, to: SetId): boolean {
    for (let row = 0; row < ORDERED; row++)
      if (this.#know.missing(to + row, rows + row) >= 0) return true;
    return false;
  }

  #of(meeting: number): SetId {
    const known = this.#open.get(meeting);
    if (known !== undefined) return known;
    const rows = addRows(this.#know, PASSED);
    this.#open.set(meeting, rows);
    return rows;
  }
}
