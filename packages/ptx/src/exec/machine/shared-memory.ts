// Shared memory of a cluster: the bytes that are known, and terms for those that are not.
import { Counters } from './counters.ts';
import { RangeTable } from './range-table.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Stored } from '../origins/expressions.ts';
import { mix, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { offsetOf, RANK_SIZE, rankOf } from '../../steps/step.ts';
import type { Ranges } from '../../steps/step.ts';

/** The epoch of words that nothing has written. */
const FIRST_EPOCH = 1;

/** A volatile or atomic access that writes a word. */
export interface OrderedWrite {
  /** The number of its warp, from 1. */
  readonly writer: number;
  /** How many barriers of its CTA the warp had passed. */
  readonly meetings: number;
  /** Equal for writes whose order does not matter. */
  readonly effect: number;
}

/** The shared memory of one CTA in words of 4 bytes. */
class Bank {
  /** The known bytes of each word. */
  readonly value: Uint32Array;
  /** The term of what is unknown of each word. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  /** A bit for each byte that is known. */
  readonly known: Uint8Array;
  /** The copy that wrote an unknown word last; 0 if a store did, whose term the word holds. */
  readonly epoch: Uint32Array;
  /** The warp whose volatile or atomic access wrote a word last, from 1; 0 for plain stores. */
  readonly orderedWriter: Uint16Array;
  /** How many barriers it had passed, and what it did; equal for writes whose order is none. */
  readonly orderedAt: Uint32Array;
  readonly orderedEffect: Float64Array;

  constructor(bytes: number, words = Math.ceil(bytes / 4) + 4) {
    this.value = new Uint32Array(words);
    this.low = new Uint32Array(words);
    this.high = new Uint32Array(words);
    this.known = new Uint8Array(words);
    this.epoch = new Uint32Array(words).fill(FIRST_EPOCH);
    this.orderedWriter = new Uint16Array(words);
    this.orderedAt = new Uint32Array(words);
    this.orderedEffect = new Float64Array(words);
  }

  get #parts(): (Uint32Array | Uint8Array | Uint16Array)[] {
    const { value, low, high, known, epoch, orderedWriter } = this;
    return [value, low, high, known, epoch, orderedWriter];
  }

  /** Takes the contents of another one. */
  set(other: Bank): void {
    const parts = other.#parts;
    for (const [index, part] of this.#parts.entries()) part.set(parts[index]!);
    this.orderedAt.set(other.orderedAt);
    this.orderedEffect.set(other.orderedEffect);
  }

  copy(): Bank {
    const copy = new Bank(0, this.value.length);
    copy.set(this);
    return copy;
  }

  /** The words that are not as in another one. */
  differences(other: Bank): number[] {
    const [own, others] = [this.#parts, other.#parts];
    const words: number[] = [];
    for (let word = 0; word < this.value.length; word++)
      if (own.some((part, index) => part[word] !== others[index]![word])) words.push(word);
    return words;
  }
}

/** Bytes of a page, whose writes are counted together. */
const PAGE_BYTES = 1024;
/** Bits of a word all of whose bytes are known. */
const ALL_BYTES = 0xf;
const term: Wide = { low: 0, high: 0 };
const stored: Wide = { low: 0, high: 0 };

/** Shared memory of all CTAs of a cluster. Addresses have the rank in bits 24 and up. */
export class SharedMemory {
  readonly #banks: Bank[];
  readonly counters = new Counters();
  /** What accesses touch. */
  readonly ranges = new RangeTable();
  /** Bytes of a CTA. */
  readonly bytes: number;
  /** Called with bytes `[from, to)` before they are written, and whether the value is known. */
  watch: ((from: number, to: number, isKnown: boolean) => void) | null = null;
  /** How stored values are computed from the place of their block, by the address. */
  readonly #origins = new Map<number, Stored & { readonly bytes: number }>();
  #epochs = FIRST_EPOCH;
  /** By CTA and page: the number of its last write; equal numbers are equal contents. */
  readonly #pages: Uint32Array[];
  #writes = 0;
  /** Whether there was a volatile or atomic write. */
  isOrdered = false;

  constructor(ctas: number, bytes: number) {
    this.bytes = bytes;
    this.#banks = Array.from({ length: ctas }, () => new Bank(bytes));
    const pages = Math.ceil(bytes / PAGE_BYTES) + 1;
    this.#pages = this.#banks.map(() => new Uint32Array(pages));
  }

  /** Whether `bytes` bytes at an address belong to a CTA of the cluster. */
  has(address: number, bytes: number): boolean {
    return (
      rankOf(address) < this.#banks.length &&
      address >= 0 &&
      offsetOf(address) + bytes <= this.bytes
    );
  }

  /** Whether all bytes of ranges do. */
  hasAll(ranges: Ranges): boolean {
    for (let index = 0; index < ranges.length; index += 2)
      if (!this.has(ranges[index]!, ranges[index + 1]! - ranges[index]!)) return false;
    return true;
  }

  /** The number of the last write. */
  get writes(): number {
    return this.#writes;
  }

  /** The numbers of the pages in which ranges lie. */
  pagesOf(ranges: Ranges): readonly number[] {
    const found = new Set<number>();
    for (let index = 0; index < ranges.length; index += 2) {
      const [from, to] = [ranges[index]!, ranges[index + 1]!];
      const last = Math.floor((offsetOf(from) + to - from - 1) / PAGE_BYTES);
      for (let page = Math.floor(offsetOf(from) / PAGE_BYTES); page <= last; page++)
        found.add(page * this.#banks.length + rankOf(from));
    }
    return [...found];
  }

  /** Whether something was written in one of some pages after a write. */
  hasChanged(pages: readonly number[], since: number): boolean {
    const ctas = this.#banks.length;
    for (const number of pages) {
      const rank = number % ctas;
      if (this.#pages[rank]![(number - rank) / ctas]! > since) return true;
    }
    return false;
  }

  /** Reads 1, 2, 4 or 8 bytes into `out`; whether all are known. */
  load(address: number, bytes: number, out: Wide): boolean {
    if (!this.has(address, bytes)) return unknownAt(out, address, 0);
    if (bytes <= 4) return this.#loadWord(address, bytes, out);
    const isLowKnown = this.#loadWord(address, 4, out);
    const { low, high } = out;
    const isHighKnown = this.#loadWord(address + 4, 4, out);
    if (isLowKnown && isHighKnown) {
      out.high = out.low;
      out.low = low;
      return true;
    }
    mix(out, low, high, isLowKnown ? 1 : 0);
    return false;
  }

  #loadWord(address: number, bytes: number, out: Wide): boolean {
    const bank = this.#banks[rankOf(address)]!;
    const offset = offsetOf(address);
    const word = offset >>> 2;
    const shift = offset & 3;
    const needed = (2 ** bytes - 1) << shift;
    if (shift + bytes > 4) return unknownAt(out, address, bank.epoch[word]!);
    if ((bank.known[word]! & needed) === needed) {
      const value = bank.value[word]! >>> (8 * shift);
      out.low = bytes === 4 ? value : value & (2 ** (8 * bytes) - 1);
      out.high = 0;
      return true;
    }
    this.#termOf(bank, word, out);
    if (bank.known[word] !== 0) mix(out, bank.value[word]!, bank.known[word]!, 1);
    if (bytes < 4) mix(out, shift, bytes, 0);
    return false;
  }

  /** The identity of an unknown word. */
  #termOf(bank: Bank, word: number, out: Wide): void {
    if (bank.epoch[word] !== 0) {
      start(out, bank.epoch[word]!);
      mix(out, word, this.#banks.indexOf(bank), 0);
    } else {
      out.low = bank.low[word]!;
      out.high = bank.high[word]!;
    }
  }

  /** Keeps the term of what is unknown of a word, of which a part is stored. */
  #setTerm(bank: Bank, word: number, { low, high }: Wide): void {
    bank.low[word] = low;
    bank.high[word] = high;
    bank.epoch[word] = 0;
  }

  /**
   * Writes 1, 2, 4 or 8 bytes. An unknown value is given by its term; `source` says how it is
   * computed from the place of the block, `null`: it is not.
   */
  store(
    address: number,
    bytes: number,
    value: Wide,
    isKnown: boolean,
    source: Stored | null,
  ): void {
    if (!this.has(address, bytes)) return;
    this.watch?.(address, address + bytes, isKnown);
    if (this.#origins.size > 0) this.#forgetOrigins(address, address + bytes);
    if (source !== null) this.#origins.set(address, { ...source, bytes });
    this.#turn(address, address + bytes);
    this.counters.written(address, address + bytes);
    if (bytes <= 4) return this.#storeWord(address, bytes, value.low, value.high, isKnown);
    if (isKnown) {
      this.#storeWord(address, 4, value.low, 0, true);
      return this.#storeWord(address + 4, 4, value.high, 0, true);
    }
    stored.low = value.low;
    stored.high = value.high;
    mix(stored, 0, 1, 0);
    this.#storeWord(address, 4, stored.low, stored.high, false);
    mix(stored, 1, 1, 0);
    this.#storeWord(address + 4, 4, stored.low, stored.high, false);
  }

  #storeWord(address: number, bytes: number, low: number, high: number, isKnown: boolean): void {
    const bank = this.#banks[rankOf(address)]!;
    const offset = offsetOf(address);
    const word = offset >>> 2;
    const shift = offset & 3;
    const touched = ((2 ** bytes - 1) << shift) & 0xf;
    if (bytes === 4) {
      bank.known[word] = isKnown ? ALL_BYTES : 0;
      bank.value[word] = isKnown ? low : 0;
      term.low = isKnown ? 0 : low;
      term.high = isKnown ? 0 : high;
      return this.#setTerm(bank, word, term);
    }
    // The term is that of the bytes that are unknown before or after, as they were stored.
    this.#termOf(bank, word, term);
    const mask = ((2 ** (8 * bytes) - 1) << (8 * shift)) >>> 0;
    if (isKnown) {
      bank.value[word] = ((bank.value[word]! & ~mask) | ((low << (8 * shift)) & mask)) >>> 0;
      bank.known[word]! |= touched;
    } else {
      bank.value[word] = (bank.value[word]! & ~mask) >>> 0;
      bank.known[word]! &= ~touched;
      mix(term, low, high, 0);
      mix(term, shift, bytes, 0);
    }
    this.#setTerm(bank, word, term);
  }

  /**
   * Gives what is unknown of words new identities, which nothing else has, and adds what is known
   * to a state.
   */
  cut(state: Wide, meetings: number): void {
    this.#writes++;
    for (const pages of this.#pages) pages.fill(this.#writes);
    this.#epochs++;
    for (const bank of this.#banks) {
      const { value, known, epoch, orderedWriter, orderedAt } = bank;
      for (let word = 0; word < value.length; word++) {
        const bytes = known[word]!;
        const isRecent = orderedAt[word] === meetings ? 1 : 0;
        if (orderedWriter[word] !== 0) mix(state, word, orderedWriter[word]!, isRecent);
        if (bytes !== ALL_BYTES) epoch[word] = this.#epochs;
        if (bytes === 0) continue;
        mix(state, word, bytes, 1);
        mix(state, value[word]!, 0, 1);
        if (bytes === ALL_BYTES) continue;
        // What is known of a word rests on no epoch.
        this.#termOf(bank, word, term);
        this.#setTerm(bank, word, term);
      }
    }
  }

  /** Whether nothing has written any of some bytes. */
  isUnwritten(address: number, bytes: number): boolean {
    if (!this.has(address, bytes)) return false;
    const { epoch, known } = this.#banks[rankOf(address)]!;
    const last = (offsetOf(address) + bytes - 1) >>> 2;
    for (let word = offsetOf(address) >>> 2; word <= last; word++)
      if (epoch[word] !== FIRST_EPOCH || known[word] !== 0) return false;
    return true;
  }

  /** Whether a stored value is computed from the place of its block. */
  get hasOrigins(): boolean {
    return this.#origins.size > 0;
  }

  /** How bytes are computed: `null`, not from the place of a block. */
  originAt(address: number, bytes: number): Stored | null {
    const own = this.#origins.get(address);
    if (own?.bytes === bytes) return own;
    for (let at = address - MOST_BYTES + 1; at < address + bytes; at++) {
      const part = this.#origins.get(at);
      if (part !== undefined && at + part.bytes > address) return { origin: OPAQUE, lane: 0 };
    }
    return null;
  }

  /** What is written is computed otherwise; what is left of a value is not followed. */
  #forgetOrigins(from: number, to: number): void {
    const isLong = to - from > this.#origins.size;
    if (isLong) for (const at of this.#origins.keys()) this.#forgetOrigin(at, from, to);
    else for (let at = from - MOST_BYTES + 1; at < to; at++) this.#forgetOrigin(at, from, to);
  }

  #forgetOrigin(at: number, from: number, to: number): void {
    const part = this.#origins.get(at);
    if (part === undefined || at >= to || at + part.bytes <= from) return;
    if (at >= from && at + part.bytes <= to) this.#origins.delete(at);
    else this.#origins.set(at, { ...part, origin: OPAQUE });
  }

  /** Notes a write of bytes `[from, to)`. */
  #turn(from: number, to: number): void {
    const pages = this.#pages[rankOf(from)]!;
    const last = Math.floor((offsetOf(from) + to - from - 1) / PAGE_BYTES);
    this.#writes++;
    for (let page = Math.floor(offsetOf(from) / PAGE_BYTES); page <= last; page++)
      pages[page] = this.#writes;
  }

  /** Adds what identifies the contents of ranges to a term: equal contents may have two terms. */
  mixContents(ranges: Ranges, out: Wide): void {
    for (let index = 0; index < ranges.length; index += 2) {
      const [from, to] = [ranges[index]!, ranges[index + 1]!];
      mix(out, from, to, 1);
      const pages = this.#pages[rankOf(from)];
      const last = Math.floor((offsetOf(from) + to - from - 1) / PAGE_BYTES);
      for (let page = Math.floor(offsetOf(from) / PAGE_BYTES); page <= last; page++)
        mix(out, pages?.[page] ?? ++this.#writes, 0, 1);
    }
  }

  /** A copy of the memory of a CTA. */
  save(rank: number): Bank {
    return this.#banks[rank]!.copy();
  }

  /** Puts a copy back. */
  restore(rank: number, saved: Bank): void {
    this.#pages[rank]!.fill(++this.#writes);
    this.#banks[rank]!.set(saved);
  }

  /** The addresses of the words of a CTA that are not what they are in a copy. */
  changedSince(rank: number, saved: Bank): number[] {
    return this.#banks[rank]!.differences(saved).map((word) => rank * RANK_SIZE + word * 4);
  }

  /** The volatile or atomic access that wrote a word last; `null` after a plain store. */
  orderedWrite(address: number): OrderedWrite | null {
    if (!this.isOrdered || !this.has(address, 1)) return null;
    const { orderedWriter, orderedAt, orderedEffect } = this.#banks[rankOf(address)]!;
    const word = offsetOf(address) >>> 2;
    const writer = orderedWriter[word]!;
    if (writer === 0) return null;
    return { writer, meetings: orderedAt[word]!, effect: orderedEffect[word]! };
  }

  /** Notes by which volatile or atomic access a word is written; `null` for a plain store. */
  setOrderedWrite(address: number, write: OrderedWrite | null): void {
    if ((write === null && !this.isOrdered) || !this.has(address, 1)) return;
    this.isOrdered = true;
    const bank = this.#banks[rankOf(address)]!;
    const word = offsetOf(address) >>> 2;
    bank.orderedWriter[word] = write?.writer ?? 0;
    bank.orderedAt[word] = write?.meetings ?? 0;
    bank.orderedEffect[word] = write?.effect ?? 0;
  }

  /** Makes bytes unknown, all with a new identity: an asynchronous copy wrote them. */
  overwrite(from: number, to: number): void {
    if (!this.has(from, to - from)) return;
    this.watch?.(from, to, false);
    if (this.#origins.size > 0) this.#forgetOrigins(from, to);
    this.#turn(from, to);
    this.counters.written(from, to);
    const bank = this.#banks[rankOf(from)]!;
    const first = offsetOf(from) >>> 2;
    const last = (offsetOf(to - 1) >>> 2) + 1;
    this.#epochs++;
    bank.known.fill(0, first, last);
    bank.epoch.fill(this.#epochs, first, last);
    bank.orderedWriter.fill(0, first, last);
  }
}

/** The most bytes that one value has. */
const MOST_BYTES = 16;

function unknownAt(out: Wide, address: number, epoch: number): boolean {
  start(out, address);
  mix(out, epoch, 0, 0);
  return false;
}
