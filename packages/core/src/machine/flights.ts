// The open flights of a state: asynchronous work in progress, in canonical order (U01-U05).
import { BoundError, InvariantError } from '../base/index.ts';
import * as flightTable from './flight-table.ts';
import { FlightKind } from './flight-table.ts';
import type { Flight, FlightTable } from './flight-table.ts';
import type { Instruction } from './instruction.ts';

// V8 folds the constants of a module into its code, and loads those of others at every use.
const { IN_ORDER, IS_GROUP, IS_WORK } = flightTable;

/** The most flights that can be open at one time (option `max-flights`). */
export const MAX_FLIGHTS = 4096;

/** How far apart the two flights of a packed word are. */
const PACKED_BITS = 16;
const PACKED_MASK = 0xffff;

/**
 * Reads and writes the open flights of a state, which are the end of its words: their number, then
 * the id of each in the table. Only this class knows that layout. Flights are named by their index
 * in the list; nothing is allocated.
 */
export class OpenFlights {
  readonly table: FlightTable;
  readonly #at: number;

  /** `at` is the first word after those that every state has. */
  constructor(table: FlightTable, at: number) {
    this.table = table;
    this.#at = at;
  }

  /** How many flights are open. */
  count(words: Int32Array): number {
    return words[this.#at]!;
  }

  /** The id of the flight at `index`. */
  idAt(words: Int32Array, index: number): number {
    return words[this.#at + 1 + index]!;
  }

  /** The flight at `index`. */
  flightAt(words: Int32Array, index: number): Flight {
    return this.table.flights[words[this.#at + 1 + index]!]!;
  }

  /** How many words a state has while `count` flights are open. */
  wordsFor(count: number): number {
    return this.#at + 1 + count;
  }

  /** How many words of a state are in use. */
  usedWords(words: Int32Array): number {
    return this.#at + 1 + words[this.#at]!;
  }

  /** Copies the open flights of one state to another. */
  copy(from: Int32Array, to: Int32Array): void {
    const at = this.#at;
    const used = at + 1 + from[at]!;
    const stale = at + 1 + to[at]!;
    for (let i = at; i < used; i++) to[i] = from[i]!;
    for (let i = used; i < stale; i++) to[i] = 0;
  }

  /** Writes the open flights in pairs, their number first; returns where they end. */
  pack(words: Int32Array, packed: Int32Array, first: number): number {
    const at = this.#at;
    const count = words[at]!;
    let end = first;
    for (let i = 0; i <= count; i += 2) {
      const second = i < count ? words[at + i + 1]! : 0;
      packed[end++] = words[at + i]! | (second << PACKED_BITS);
    }
    return end;
  }

  /** Reads what {@link pack} wrote. */
  unpack(packed: Int32Array, first: number, words: Int32Array): void {
    const at = this.#at;
    const stale = words[at]!;
    const count = packed[first]! & PACKED_MASK;
    let from = first;
    for (let i = 0; i <= count; i += 2) {
      const pair = packed[from++]!;
      words[at + i] = pair & PACKED_MASK;
      words[at + i + 1] = pair >>> PACKED_BITS;
    }
    for (let i = count + 1; i <= stale; i++) words[at + i] = 0;
  }

  /**
   * Adds a flight. The list is sorted by queue; inside a queue it keeps the order of issue, except
   * that work of an any-order unit is sorted between two marks: equal sets are equal states.
   */
  launch(words: Int32Array, id: number): void {
    const { table } = this;
    const { queues, traits } = table;
    const at = this.#at;
    const queue = queues[id]!;
    const trait = traits[id]!;
    const count = words[at]!;
    if (at + 1 + count >= words.length) {
      throw new BoundError('max-flights', MAX_FLIGHTS, 'too many asynchronous operations are open');
    }
    const first = at + 1;
    let slot = first + count;
    let workBefore = false;
    for (let i = first; i < first + count; i++) {
      const other = words[i]!;
      if (queues[other]! > queue) {
        slot = i;
        break;
      }
      if (queues[other] === queue && (traits[other]! & IS_WORK) !== 0) workBefore = true;
    }
    // U04: a group with no open work before it is closed and complete at once.
    if ((trait & IS_GROUP) !== 0 && !workBefore) return;
    if ((trait & (IS_WORK | IN_ORDER)) === IS_WORK) {
      while (slot > first) {
        const other = words[slot - 1]!;
        if (queues[other] !== queue || (traits[other]! & IS_WORK) === 0) break;
        if (table.compare(words[slot - 1]!, id) <= 0) break;
        slot--;
      }
    }
    for (let i = first + count; i > slot; i--) words[i] = words[i - 1]!;
    words[slot] = id;
    words[at] = count + 1;
  }

  /** U02, U03: whether the flight at `index` can complete next. */
  canComplete(words: Int32Array, index: number): boolean {
    const { queues, traits } = this.table;
    const at = this.#at;
    const id = words[at + 1 + index]!;
    if ((traits[id]! & IS_GROUP) !== 0) return false;
    if ((traits[id]! & (IS_WORK | IN_ORDER)) === IS_WORK) return true;
    const queue = queues[id]!;
    for (let i = at + index; i > at; i--) {
      const other = words[i]!;
      if (queues[other] !== queue) return true;
      if ((traits[other]! & IS_WORK) !== 0) return false;
    }
    return true;
  }

  /** The index of the first open flight of a number that {@link canComplete}. */
  completable(words: Int32Array, id: number): number {
    const open = words[this.#at]!;
    for (let index = 0; index < open; index++) {
      if (words[this.#at + 1 + index] === id && this.canComplete(words, index)) return index;
    }
    throw new InvariantError('a flight is complete before one that it is behind');
  }

  /**
   * Lists the indices of all flights that {@link canComplete}, in one pass, into `out` from `first`
   * on; returns where they end.
   */
  listCompletable(words: Int32Array, out: Int32Array, first: number): number {
    const { queues, traits } = this.table;
    const at = this.#at;
    const open = words[at]!;
    let end = first;
    let queue = -1;
    let workBefore = 0;
    for (let index = 0; index < open; index++) {
      const id = words[at + 1 + index]!;
      const trait = traits[id]!;
      if (queues[id] !== queue) {
        queue = queues[id]!;
        workBefore = 0;
      }
      const isBehind = (trait & (IS_WORK | IN_ORDER)) === IS_WORK ? 0 : workBefore;
      if (((trait & IS_GROUP) | isBehind) === 0) out[end++] = index;
      workBefore |= trait & IS_WORK;
    }
    return end;
  }

  /**
   * The index of flight number `option` among those of `unit` that can complete, as moves count
   * them; −1 where there are fewer.
   */
  completableOf(words: Int32Array, unit: number, option: number): number {
    const count = words[this.#at]!;
    let left = option;
    for (let index = 0; index < count; index++) {
      if (this.flightAt(words, index).unit !== unit || !this.canComplete(words, index)) continue;
      if (left-- === 0) return index;
    }
    return -1;
  }

  /**
   * How many flights of `unit` before `index` can complete: the number of a move that completes it.
   */
  optionOf(words: Int32Array, unit: number, index: number): number {
    let option = 0;
    for (let before = 0; before < index; before++) {
      if (this.flightAt(words, before).unit === unit && this.canComplete(words, before)) option++;
    }
    return option;
  }

  /** Takes the flight at `index` out, and with it the groups that are complete now (U04). */
  remove(words: Int32Array, index: number): void {
    const { queues, traits } = this.table;
    const at = this.#at;
    const queue = queues[words[at + 1 + index]!]!;
    const count = words[at]!;
    let left = 0;
    let workBefore = false;
    for (let i = 0; i < count; i++) {
      const id = words[at + 1 + i]!;
      if (i === index) continue;
      if (queues[id] === queue) {
        if ((traits[id]! & IS_GROUP) !== 0 && !workBefore) continue;
        if ((traits[id]! & IS_WORK) !== 0) workBefore = true;
      }
      words[at + 1 + left] = id;
      left++;
    }
    for (let i = left; i < count; i++) words[at + 1 + i] = 0;
    words[at] = left;
  }

  /** How many groups of `role` on `unit` are still open. */
  openGroups(words: Int32Array, role: number, unit: number): number {
    const at = this.#at;
    let open = 0;
    for (let i = words[at]!; i > 0; i--) {
      const flight = this.table.flights[words[at + i]!]!;
      if (flight.kind === FlightKind.group && flight.role === role && flight.unit === unit) open++;
    }
    return open;
  }

  /** U04, G02, H4: whether at most so many groups of a role are open, and of its team. */
  permits(words: Int32Array, instruction: Instruction): boolean {
    const { role, unit, reading, inFlight, team } = instruction;
    for (let i = 0; i < team.length; i++) {
      if (this.openGroups(words, team[i]!, unit) > inFlight) return false;
    }
    if (this.openGroups(words, role, unit) > inFlight) return false;
    return reading < 0 || this.openGroups(words, role, reading) <= inFlight;
  }

  /** Whether a copy is open whose bytes go to `barrier`. */
  hasBytesTo(words: Int32Array, barrier: number): boolean {
    const { bytesTo } = this.table;
    const at = this.#at;
    for (let i = words[at]!; i > 0; i--) if (bytesTo[words[at + i]!] === barrier) return true;
    return false;
  }
}
