// The happens-before relation of a run: sets of events as bits of one flat array.
import { BoundError } from '@poundlock/core/internal/base';

/** The most 32-bit words of a set (bound `live-events`): half a million events that matter. */
const MAX_WORDS = 1 << 14;
const WORD_BITS = 32;
/** Sets for each event that matters, where nothing else is known: those of a barrier. */
const SETS_OF_ONE = 8;

/** The number of a set of events: a *row* of what a thread knows, or a *list* that is checked. */
export type SetId = number;

/**
 * Happens-before of one run. Only events on a list have a bit, since the conditions concern no
 * others. A row holds the events that come before its thread's next one, so that learning is a
 * union and a condition is an inclusion.
 *
 * A row that learns of an event learns of everything before it, since rows are joined whole. So a
 * list needs no event that comes before another one of the list, and stays short. Events on no list
 * any more are removed from the rows when their bits are needed: memory is bounded by what is live,
 * and not by the length of the run.
 */
export class Knowledge {
  /** All sets; set `id` starts at `id * words`. Replaced when sets or words are added. */
  bits: Int32Array;
  /** 32-bit words of each set. */
  words = 1;
  #sets = 0;
  readonly #isList: boolean[] = [];
  readonly #isWhole: boolean[] = [];
  /** The first rows are those of roles; whether each of them has made its last event. */
  readonly #isRetired: boolean[] = [];
  #free: Int32Array;
  /** By row: the event that its next one shares a bit with, 0 for none. */
  #shared: Int32Array;
  #cursor = 0;
  /** The last event: its word and its bit there. */
  #word = 0;
  #bit = 0;

  /**
   * The first `roles` rows are those that every event comes from, by itself or by its issuer. Room
   * is made for about `live` events that matter at one time, and for more when there are more.
   */
  constructor(roles: number, live = 0) {
    while (this.words * WORD_BITS * 2 <= live && this.words < MAX_WORDS) this.words *= 2;
    for (let role = 0; role < roles; role++) {
      this.#isRetired.push(false);
      this.#isList.push(false);
      this.#isWhole.push(false);
    }
    this.#sets = roles;
    const sets = Math.max(64, roles + SETS_OF_ONE * live);
    this.bits = new Int32Array(sets * this.words);
    this.#free = new Int32Array(this.words).fill(-1);
    this.#shared = new Int32Array(sets);
  }

  /** Adds a row: what a thread, a phase or a piece of work knows. */
  addRow(): SetId {
    return this.#add(false, false);
  }

  /**
   * Adds a list: events that some row must know later. Those that all roles know are removed from
   * time to time, unless the list is to stay whole: then it is not only tested for inclusion.
   */
  addList(isWhole = false): SetId {
    return this.#add(true, isWhole);
  }

  /** How many sets there are; their numbers are below it. */
  get sets(): number {
    return this.#sets;
  }

  isList(id: SetId): boolean {
    return this.#isList[id]!;
  }

  isWhole(id: SetId): boolean {
    return this.#isWhole[id]!;
  }

  /** A role has made its last event: its knowledge is not read any more. */
  retire(role: SetId): void {
    this.#isRetired[role] = true;
  }

  /** Forgets everything, but not which sets there are. */
  reset(): void {
    this.bits.fill(0);
    this.#free.fill(-1);
    this.#shared.fill(0);
    this.#cursor = 0;
  }

  /**
   * An event of `row`, which no other row knows yet. Put it on a list at once. As long as no other
   * row learns from this one, its events are known to the same sets, and share a bit.
   */
  event(row: SetId): void {
    const shared = this.#shared[row]!;
    if (shared === 0) this.#begin(row);
    else {
      this.#word = shared >>> 5;
      this.#bit = 1 << (shared & 31);
    }
  }

  #begin(row: SetId): void {
    this.introduce();
    this.bits[row * this.words + this.#word]! |= this.#bit;
    // Event 0 is the only one that does not share its bit: 0 says that there is none to share.
    this.#shared[row] = this.#word * WORD_BITS + 31 - Math.clz32(this.#bit);
  }

  /** A new event that no row knows. */
  introduce(): void {
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
    this.#word = word;
    this.#bit = bit;
  }

  /** The number of the last event, until its bit is free again. */
  get last(): number {
    return this.#word * WORD_BITS + 31 - Math.clz32(this.#bit);
  }

  /** Whether a row knows an event that is on a list. */
  knowsEvent(row: SetId, event: number): boolean {
    return (this.bits[row * this.words + (event >>> 5)]! & (1 << (event & 31))) !== 0;
  }

  /** Makes an event that is on a list the last one again. */
  select(event: number): void {
    this.#word = event >>> 5;
    this.#bit = 1 << (event & 31);
  }

  /** Adds to `to` what `from` and `list` have in common. */
  joinOf(to: SetId, from: SetId, list: SetId): void {
    const { bits, words } = this;
    for (let w = 0; w < words; w++)
      bits[to * words + w]! |= bits[from * words + w]! & bits[list * words + w]!;
  }

  /** Whether `row` knows something of a list. */
  knowsAny(row: SetId, list: SetId): boolean {
    const { bits, words } = this;
    for (let w = 0; w < words; w++) {
      if ((bits[row * words + w]! & bits[list * words + w]!) !== 0) return true;
    }
    return false;
  }

  /** An event on a list that a row does not know, −1 if it knows all. */
  missing(row: SetId, list: SetId): number {
    const { bits, words } = this;
    for (let w = 0; w < words; w++) {
      const missing = bits[list * words + w]! & ~bits[row * words + w]!;
      if (missing !== 0) return w * WORD_BITS + 31 - Math.clz32(missing & -missing);
    }
    return -1;
  }

  /** Another row learns from `row`: its next event needs a bit of its own. */
  share(row: SetId): void {
    this.#shared[row] = 0;
  }

  /** Adds the last event to a set, whichever row it belongs to. */
  add(id: SetId): void {
    this.bits[id * this.words + this.#word]! |= this.#bit;
  }

  /** Puts the last event, which is one of `row`, on a list; it replaces all that `row` knows. */
  put(list: SetId, row: SetId): void {
    this.removeKnown(list, row);
    this.add(list);
  }

  /** A list is read. Only {@link LiveKnowledge} records by which role. */
  noteRead(_list: SetId): void {}

  /** What is on list `from` moves on to list `to`. */
  flow(_from: SetId, _to: SetId): void {}

  /** Takes what `row` knows off a list. */
  removeKnown(list: SetId, row: SetId): void {
    const { bits, words } = this;
    const to = list * words;
    const from = row * words;
    for (let w = 0; w < words; w++) bits[to + w]! &= ~bits[from + w]!;
  }

  /** Whether `row` knows all of a list. */
  knows(row: SetId, list: SetId): boolean {
    this.noteRead(list);
    const { bits, words } = this;
    const known = row * words;
    const read = list * words;
    for (let w = 0; w < words; w++) if ((bits[read + w]! & ~bits[known + w]!) !== 0) return false;
    return true;
  }

  /**
   * {@link knows} for a list that is asked for, and {@link put} for another one, in one go: most of
   * what a run does. When the answer is no, the other list is in pieces, and the run is over.
   */
  knowsAndPuts(row: SetId, read: SetId, list: SetId): boolean {
    this.noteRead(read);
    const { bits, words } = this;
    const known = row * words;
    const before = read * words;
    const to = list * words;
    for (let w = 0; w < words; w++) {
      const missing = ~bits[known + w]!;
      if ((bits[before + w]! & missing) !== 0) return false;
      bits[to + w]! &= missing;
    }
    this.add(list);
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
    this.#shared[from] = 0;
    const { bits, words } = this;
    const target = to * words;
    const source = from * words;
    for (let w = 0; w < words; w++) bits[target + w]! |= bits[source + w]!;
  }

  /** {@link join}, an event of `to`, and {@link put} for a list, in one go. */
  joinAndPut(to: SetId, from: SetId, list: SetId): void {
    this.#shared[from] = 0;
    const { bits, words } = this;
    const target = to * words;
    const source = from * words;
    const put = list * words;
    for (let w = 0; w < words; w++) {
      const known = bits[target + w]! | bits[source + w]!;
      bits[target + w] = known;
      bits[put + w]! &= ~known;
    }
    this.event(to);
    this.add(list);
  }

  copy(to: SetId, from: SetId): void {
    this.#shared[from] = 0;
    this.#shared[to] = 0;
    const { bits, words } = this;
    const target = to * words;
    const source = from * words;
    for (let w = 0; w < words; w++) bits[target + w] = bits[source + w]!;
  }

  clear(id: SetId): void {
    this.#shared[id] = 0;
    const { bits, words } = this;
    const at = id * words;
    for (let w = 0; w < words; w++) bits[at + w] = 0;
  }

  #add(isList: boolean, isWhole: boolean): SetId {
    const id = this.#sets++;
    this.#isList.push(isList);
    this.#isWhole.push(isWhole);
    if (this.#sets * this.words > this.bits.length) {
      const larger = new Int32Array(this.bits.length * 2);
      larger.set(this.bits);
      this.bits = larger;
    }
    if (id >= this.#shared.length) {
      const larger = new Int32Array(this.#shared.length * 2);
      larger.set(this.#shared);
      this.#shared = larger;
    }
    return id;
  }

  /** What all roles know that may still read. */
  #common(): Int32Array {
    const { bits, words } = this;
    const common = new Int32Array(words).fill(-1);
    for (const [role, isRetired] of this.#isRetired.entries()) {
      if (isRetired) continue;
      for (let w = 0; w < words; w++) common[w]! &= bits[role * words + w]!;
    }
    return common;
  }

  /** Frees the bits of events that are on no list; with too few of them, sets get more words. */
  #sweep(): void {
    const { bits, words } = this;
    this.#shared.fill(0);
    const common = this.#common();
    const live = new Int32Array(words);
    for (let id = 0; id < this.#sets; id++) {
      if (!this.#isList[id]) continue;
      const at = id * words;
      if (!this.#isWhole[id]) for (let w = 0; w < words; w++) bits[at + w]! &= ~common[w]!;
      for (let w = 0; w < words; w++) live[w]! |= bits[at + w]!;
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
        'too many events are live at the same time',
      );
    }
    const grown = new Int32Array(Math.max(bits.length, this.#sets * wider) * 2);
    grown.set(bits);
    // From the last set on: each moves up, to where no set is any more that has still to move.
    for (let id = this.#sets - 1; id >= 0; id--) {
      grown.copyWithin(id * wider, id * words, (id + 1) * words);
      grown.fill(0, id * wider + words, (id + 1) * wider);
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
