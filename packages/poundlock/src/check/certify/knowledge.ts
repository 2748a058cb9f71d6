// What everybody in a run knows: sets of events as bits of one flat array.
import { BoundError } from '../../base/index.ts';

/** The most 32-bit words of a set (bound `live-events`): half a million events that matter. */
const MAX_WORDS = 1 << 14;
const WORD_BITS = 32;

/** The number of a set of events: a *row* of what someone knows, or a *list* that is asked for. */
export type SetId = number;

/**
 * Happens-before of one run. An event is a bit, and only those events have one that are on a list:
 * the conditions ask for no other. A row holds the events that come before what it stands for, so
 * that learning is a union and a condition is an inclusion.
 *
 * Whoever learns of an event learns of everything its maker knew, since rows are joined whole. So a
 * list needs no event that the maker of a later one knew, and stays short. Events on no list any
 * more are swept out of the rows when their bits are needed: memory is bounded by what is live, and
 * not by the length of the run.
 */
export class Knowledge {
  /** All sets; set `id` starts at `id * words`. Replaced when sets or words are added. */
  bits: Int32Array;
  /** 32-bit words of each set. */
  words = 1;
  #sets = 0;
  #isList: boolean[] = [];
  #free: Int32Array;
  #cursor = 0;
  /** The last event: its word and its bit there. */
  #word = 0;
  #bit = 0;

  constructor() {
    this.bits = new Int32Array(64);
    this.#free = new Int32Array(1).fill(-1);
  }

  /** Adds a row: what a thread, a phase or a piece of work knows. */
  addRow(): SetId {
    return this.#add(false);
  }

  /** Adds a list: events that someone must know at some time. */
  addList(): SetId {
    return this.#add(true);
  }

  /** How many sets there are; their numbers are below it. */
  get sets(): number {
    return this.#sets;
  }

  isList(id: SetId): boolean {
    return this.#isList[id]!;
  }

  /** Forgets everything, but not which sets there are. */
  reset(): void {
    this.bits.fill(0);
    this.#free.fill(-1);
    this.#cursor = 0;
  }

  /** A new event that `row` makes, and so far nobody else knows. Put it on a list at once. */
  event(row: SetId): void {
    let word = this.#cursor;
    while (this.#free[word] === 0) {
      if (++word < this.words) continue;
      this.#sweep();
      word = 0;
    }
    this.#cursor = word;
    const free = this.#free[word]!;
    const bit = free & -free;
    this.#free[word] = free ^ bit;
    this.bits[row * this.words + word]! |= bit;
    this.#word = word;
    this.#bit = bit;
  }

  /** Adds the last event to a set, whoever made it. */
  add(id: SetId): void {
    this.bits[id * this.words + this.#word]! |= this.#bit;
  }

  /** Puts the last event, which `row` has made, on a list; it stands for all that `row` knows. */
  put(list: SetId, row: SetId): void {
    const { bits, words } = this;
    const to = list * words;
    const from = row * words;
    for (let w = 0; w < words; w++) bits[to + w]! &= ~bits[from + w]!;
    this.bits[list * this.words + this.#word]! |= this.#bit;
  }

  /** Takes off a list what `row` knows. */
  forget(list: SetId, row: SetId): void {
    const { bits, words } = this;
    const to = list * words;
    const from = row * words;
    for (let w = 0; w < words; w++) bits[to + w]! &= ~bits[from + w]!;
  }

  /** Whether `row` knows all of a list. */
  knows(row: SetId, list: SetId): boolean {
    const { bits, words } = this;
    const known = row * words;
    const asked = list * words;
    for (let w = 0; w < words; w++) if ((bits[asked + w]! & ~bits[known + w]!) !== 0) return false;
    return true;
  }

  isEmpty(id: SetId): boolean {
    const { bits, words } = this;
    const at = id * words;
    for (let w = 0; w < words; w++) if (bits[at + w] !== 0) return false;
    return true;
  }

  /** `to` learns everything that `from` knows. */
  join(to: SetId, from: SetId): void {
    const { bits, words } = this;
    const target = to * words;
    const source = from * words;
    for (let w = 0; w < words; w++) bits[target + w]! |= bits[source + w]!;
  }

  copy(to: SetId, from: SetId): void {
    const { bits, words } = this;
    const target = to * words;
    const source = from * words;
    for (let w = 0; w < words; w++) bits[target + w] = bits[source + w]!;
  }

  clear(id: SetId): void {
    const { bits, words } = this;
    const at = id * words;
    for (let w = 0; w < words; w++) bits[at + w] = 0;
  }

  #add(isList: boolean): SetId {
    const id = this.#sets++;
    this.#isList.push(isList);
    if (this.#sets * this.words > this.bits.length) {
      const larger = new Int32Array(this.bits.length * 2);
      larger.set(this.bits);
      this.bits = larger;
    }
    return id;
  }

  /** Frees the bits of events that are on no list; with too few of them, sets get more words. */
  #sweep(): void {
    const { bits, words } = this;
    const live = new Int32Array(words);
    for (let id = 0; id < this.#sets; id++) {
      if (!this.#isList[id]) continue;
      for (let w = 0; w < words; w++) live[w]! |= bits[id * words + w]!;
    }
    for (let id = 0; id < this.#sets; id++) {
      if (this.#isList[id]) continue;
      for (let w = 0; w < words; w++) bits[id * words + w]! &= live[w]!;
    }
    let used = 0;
    for (let w = 0; w < words; w++) {
      used += bitCount(live[w]!);
      this.#free[w] = ~live[w]!;
    }
    // Half of the bits free, so that a sweep costs each event only a few operations.
    if (used * 2 > words * WORD_BITS) this.#widen();
  }

  #widen(): void {
    const { bits, words } = this;
    const wider = words * 2;
    if (wider > MAX_WORDS) {
      throw new BoundError(
        'live-events',
        MAX_WORDS * WORD_BITS,
        'too many events matter at a time',
      );
    }
    const grown = new Int32Array(Math.max(bits.length, this.#sets * wider) * 2);
    for (let id = 0; id < this.#sets; id++) {
      grown.set(bits.subarray(id * words, (id + 1) * words), id * wider);
    }
    const free = new Int32Array(wider).fill(-1);
    free.set(this.#free);
    this.bits = grown;
    this.words = wider;
    this.#free = free;
  }
}

function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
