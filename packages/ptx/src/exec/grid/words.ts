// Global memory that the blocks of a grid change: what words hold, who wrote them, and who polled.
import type { Wide } from '../../values/wide.ts';
import { nameOf, WordHistory } from './word-history.ts';
import { numberOf } from './word-values.ts';
import { isShared } from '../../steps/pages.ts';

export {
  isStore,
  WordHistory,
  type WordAnswer,
  type WordAttempt,
  type WordLook,
  type WordPoll,
  type WordWrite,
} from './word-history.ts';

/** Bytes of a word. */
export const WORD = 4;
/** The most words whose contents are followed. */
const MAX_WORDS = 1 << 20;

interface Stored {
  low: number;
  high: number;
  isKnown: boolean;
  /** The warp whose volatile or atomic accesses alone wrote it since a plain one did; else 0. */
  writer: number;
  /** What all of these do, if it is the same. */
  effect: string;
  isContested: boolean;
}

/** A volatile or atomic write. */
export interface OrderedWrite {
  readonly writer: number;
  /** Equal for writes whose order does not matter. */
  readonly effect: string;
}

/** Stands for several warps. */
const SEVERAL = -1;

/** Shared memory, which holds words that are waited for. Addresses are its own. */
export interface SharedStore {
  readonly load: (address: number, bytes: number, out: Wide) => boolean;
  readonly store: (address: number, bytes: number, value: Wide, isKnown: boolean) => void;
}

/** Reads known memory that no warp has written. */
export type LoadInitial = (low: number, high: number, bytes: number, out: Wide) => boolean;

const value: Wide = { low: 0, high: 0 };

/** The words of a run. Addresses are whole numbers: both halves together. */
export class GlobalWords {
  readonly #loadInitial: LoadInitial;
  readonly #loadDeclared: LoadInitial;
  readonly #shared: SharedStore;
  readonly #stored = new Map<number, Stored>();
  readonly #histories = new Map<number, WordHistory>();
  /** Words that a warp loaded while others may write them, not to wait. */
  readonly looked = new Set<number>();
  /** By volatile or atomic load: the words that it found. */
  readonly found = new Map<number, Set<number>>();
  /** By word that a warp stored into after it had drawn from it: the address that stands for it. */
  readonly resets = new Map<number, number>();
  resetCount = 0;
  /** Whether some word has been contested. */
  #hasContested = false;
  /** Whether some word has 8 bytes. */
  #hasWide = false;
  /** Whether blocks touch more global memory than is compared. */
  isTooMuch = false;

  /** `loadDeclared` reads what variables of the kernel's module hold before the first launch. */
  constructor(loadInitial: LoadInitial, loadDeclared: LoadInitial, shared: SharedStore) {
    this.#loadInitial = loadInitial;
    this.#loadDeclared = loadDeclared;
    this.#shared = shared;
  }

  /** All words that were written, polled or drawn from with known values. */
  get histories(): ReadonlyMap<number, WordHistory> {
    return this.#histories;
  }

  /** Reads 1 to 8 bytes into `out`; whether all are known. */
  load(address: number, bytes: number, out: Wide): boolean {
    if (isShared(address)) return this.#shared.load(low(address), bytes, out);
    const first = address - (address % WORD);
    const isWritten =
      this.#stored.has(first) || (address + bytes > first + WORD && this.#stored.has(first + WORD));
    if (!isWritten) return this.#loadInitial(low(address), high(address), bytes, out);
    if (bytes <= WORD) return this.#loadPart(address, bytes, out);
    const isLowKnown = this.#loadPart(address, WORD, out);
    const { low: lower, high: term } = out;
    const isHighKnown = this.#loadPart(address + WORD, WORD, out);
    out.high = out.low ^ (isLowKnown && isHighKnown ? 0 : term);
    out.low = lower;
    return isLowKnown && isHighKnown;
  }

  #loadPart(address: number, bytes: number, out: Wide): boolean {
    const first = address - (address % WORD);
    const word = this.#stored.get(first);
    if (word === undefined) return this.#loadInitial(low(address), high(address), bytes, out);
    out.low = word.low;
    out.high = word.isKnown ? 0 : word.high;
    const shift = 8 * (address - first);
    if (!word.isKnown) {
      out.high = (out.high ^ (shift + bytes * 64)) >>> 0;
      return false;
    }
    if (bytes < WORD) out.low = (word.low >>> shift) & (2 ** (8 * bytes) - 1);
    return true;
  }

  /** Whether a warp has written the word at an address. */
  isWritten(address: number): boolean {
    return this.#stored.has(address - (address % WORD));
  }

  /** Notes that a volatile or atomic load finds what a word holds. */
  noteFound(at: number, address: number): void {
    let words = this.found.get(at);
    if (words === undefined) this.found.set(at, (words = new Set()));
    words.add(address);
  }

  /** Whether the launch gives what the words held at first that a volatile or atomic load found. */
  isOfLaunch(at: number): boolean {
    const words = [...(this.found.get(at) ?? [])];
    const isKnown = (word: number) => this.#loadInitial(low(word), high(word), WORD, value);
    return words.length > 0 && words.every(isKnown);
  }

  /** Whether a volatile or atomic load found a word that a warp has written by the run's end. */
  findsWritten(at: number): boolean {
    return [...(this.found.get(at) ?? [])].some((word) => this.isWritten(word));
  }

  /** Whether words were written that are not followed any more. */
  get isFull(): boolean {
    return this.#stored.size > MAX_WORDS;
  }

  /**
   * Whether what a word holds depends on the order of writes that nothing orders: volatile and
   * atomic accesses do not race.
   */
  isContested(address: number, bytes: number): boolean {
    if (!this.#hasContested) return false;
    for (let word = address - (address % WORD); word < address + bytes; word += WORD)
      if (this.#stored.get(word)?.isContested === true) return true;
    return false;
  }

  /** Writes 1 to 8 bytes; of unknown values the term. */
  store(
    address: number,
    bytes: number,
    { low: lower, high: upper }: Wide,
    isKnown: boolean,
    ordered: OrderedWrite | null = null,
  ): void {
    if (isShared(address))
      this.#shared.store(low(address), bytes, { low: lower, high: upper }, isKnown);
    const first = address - (address % WORD);
    if (bytes < WORD || address !== first) {
      const isWordKnown = isKnown && this.#loadPart(first, WORD, value);
      const mask = ((2 ** (8 * bytes) - 1) << (8 * (address - first))) >>> 0;
      const shifted = (lower << (8 * (address - first))) >>> 0;
      const merged = isWordKnown ? ((value.low & ~mask) | (shifted & mask)) >>> 0 : lower;
      this.#put(first, merged, upper, isWordKnown, ordered);
      return;
    }
    this.#put(first, lower, isKnown ? 0 : upper, isKnown, ordered);
    if (bytes > WORD) this.#put(first + WORD, upper, isKnown ? 0 : lower, isKnown, ordered);
  }

  /** Makes words unknown. */
  forget(address: number, bytes: number): void {
    const first = address - (address % WORD);
    for (let word = first; word < address + bytes; word += WORD)
      this.#put(word, word % 2 ** 32, ++this.#forgotten, false, null);
  }

  #forgotten = 0;

  #put(
    word: number,
    lower: number,
    upper: number,
    isKnown: boolean,
    ordered: OrderedWrite | null,
  ): void {
    let stored = this.#stored.get(word);
    if (stored === undefined) {
      if (this.isFull) return;
      stored = { low: 0, high: 0, isKnown, writer: 0, effect: '', isContested: false };
      this.#stored.set(word, stored);
    }
    stored.low = lower >>> 0;
    stored.high = upper >>> 0;
    stored.isKnown = isKnown;
    noteWriter(stored, ordered);
    this.#hasContested ||= stored.isContested;
  }

  /**
   * The history of a word; begins where it is not there, which has to be before it is written.
   * Without a size it is of the one that there is, or of 4 bytes.
   */
  history(address: number, bytes?: number): WordHistory {
    let found = this.#histories.get(address);
    if (found === undefined) {
      found = new WordHistory(address, bytes ?? WORD, this.#atFirst(address, bytes ?? WORD));
      this.#histories.set(address, found);
      this.#hasWide ||= bytes === 2 * WORD;
    }
    if (bytes !== undefined) this.noteSize(address, bytes);
    return found;
  }

  /** What a word holds before it is written; no number if that is not known. */
  #atFirst(address: number, bytes: number): number {
    let isKnown = this.load(address, bytes, value);
    if (!isKnown && !this.#stored.has(address)) {
      isKnown = this.#loadDeclared(low(address), high(address), bytes, value);
      if (isKnown) this.#put(address, value.low, 0, true, null);
      if (isKnown && bytes > WORD) this.#put(address + WORD, value.high, 0, true, null);
    }
    return isKnown ? numberOf(value, bytes) : Number.NaN;
  }

  /** Notes that bytes are accessed at once: words that share a part of them have no one value. */
  noteSize(address: number, bytes: number): void {
    if (!this.#hasWide && bytes === WORD) return;
    const own = this.#histories.get(address);
    const after = bytes > WORD ? this.#histories.get(address + WORD) : undefined;
    const before = this.#histories.get(address - WORD);
    const over = before !== undefined && before.bytes > WORD ? before : undefined;
    if (own?.bytes === bytes && after === undefined && over === undefined) return;
    for (const each of [own, after, over]) if (each !== undefined) each.isMixed = true;
  }

  /** How many bytes the word at an address has. */
  sizeOf(address: number): number {
    return this.#histories.get(address)?.bytes ?? WORD;
  }

  /** The name of what a warp does with a word next, which is the same in each run. */
  nextKey(address: number, warp: number, at: number): string {
    return nameOf(warp, at, address, this.#histories.get(address)?.countOf(warp, at) ?? 0);
  }

  /** The same; what the warp does after it has another name. */
  key(address: number, warp: number, at: number): string {
    return nameOf(warp, at, address, this.history(address).count(warp, at));
  }
}

/** Notes who wrote a word, and whether another order of the writes leaves another value. */
function noteWriter(stored: Stored, ordered: OrderedWrite | null): void {
  // A plain write is ordered with all others, or it races.
  if (ordered === null || stored.writer === 0) {
    stored.writer = ordered?.writer ?? 0;
    stored.effect = ordered?.effect ?? '';
    stored.isContested = false;
    return;
  }
  const isSame = stored.effect === ordered.effect;
  if (stored.writer !== ordered.writer) {
    stored.isContested ||= !isSame;
    stored.writer = SEVERAL;
  }
  if (!isSame) stored.effect = '';
}

function low(address: number): number {
  return address % 2 ** 32;
}

function high(address: number): number {
  return Math.floor(address / 2 ** 32);
}
