// Stores of equal values into the same bytes by several warps: such stores do not race. Each action
// of a warp has a class for each piece that it writes; two actions of one class store the same.
import type { Ranges } from '../steps/step.ts';
import { countAsEqual } from '../exec/origins/equal-values.ts';
import type { StoredValue } from '../steps/stored-value.ts';
import type { Reach } from '../steps/reach.ts';
import type { Reaching } from './reach.ts';
import { mix, start } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';

/** The class of volatile and atomic accesses; those of equal stores begin at 1. */
export const ORDERED_CLASS = 0;

/**
 * Stores of one agent into a piece: all that are volatile or atomic, or those whose class has a
 * certain digit at a certain place. Two classes differ in a digit, so that few owners suffice.
 */
export interface Owner {
  readonly agent: number;
  /** 0, or 1 and 2 for the digits 0 and 1 at the first place, 3 and 4 at the second … */
  readonly class: number;
  /** The scope of volatile and atomic stores. */
  readonly reach?: Reach | undefined;
}

/** Whether an access without a class meets an owner: each store has a digit at the first place. */
export function isFirst({ class: number }: Owner): boolean {
  return number <= 2;
}

/** The digits of a class, as numbers of owners. */
function digitsOf(index: number, places: number): number[] {
  return Array.from({ length: places }, (_, place) => 2 * place + 1 + ((index >> place) & 1));
}

/** What one step stored: two numbers that identify the value for each range; none if unknown. */
export interface Stored {
  readonly ranges: Ranges;
  readonly values: readonly number[];
  /** Beside them: how it is computed from the place of the block. */
  readonly stored?: readonly (StoredValue | null)[];
}

/** An action that writes, of a warp itself. */
export interface Writer extends Reaching {
  readonly isOrdered: boolean;
  readonly stores: readonly Stored[];
  /** The owners of what it stores, by the number of the piece; absent if no other stores it. */
  readonly classes: Map<number, readonly number[]>;
}

/** A piece whose stores are compared. */
interface Wanted {
  readonly piece: number;
  readonly spans: Ranges;
}

/** A class while it is found: who stores it. */
interface Candidate {
  readonly agents: Set<number>;
  readonly writers: Writer[];
  /** What each of them stores, by its bytes. */
  readonly stored: (readonly StoredByte[])[];
}

/** A byte that is computed from the place of the block, or is not. */
interface StoredByte {
  readonly value: StoredValue | null;
  /** Which of its bytes it is. */
  readonly byte: number;
}

const hash: Wide = { low: 0, high: 0 };

/**
 * A number for a byte of a value: below 256 a known one, above that the identity of an unknown one.
 * Known values of up to 4 bytes have 0 as their second number.
 */
function byteValue(low: number, high: number, index: number): number {
  if (high === 0 && index < 4) return (low >>> (8 * index)) & 0xff;
  start(hash, index);
  mix(hash, low, high, 1);
  return 256 + hash.low + (hash.high & 0xf_ffff) * 2 ** 32;
}

/** The bytes of all wanted pieces in a row, and what one writer stores there. */
class Bytes {
  /** Spans in order of their addresses: where they begin and end, and where their bytes lie. */
  readonly #spans: readonly { readonly from: number; readonly to: number; readonly at: number }[];
  /** By byte: the index of its piece among the wanted ones. */
  readonly #pieceOf: Int32Array;
  /** By byte: what was stored by the writer that `#writer` says. */
  readonly #value: Float64Array;
  readonly #writer: Int32Array;
  /** By byte: how what the writer has stored is computed from the place of the block. */
  readonly #stored = new Map<number, StoredByte>();
  /** The bytes that the writer has stored. */
  readonly #touched: Int32Array;
  #count = 0;
  #current = 0;
  /** By piece: its bytes, and the writer that stored two values into one of them. */
  readonly #sizes: Int32Array;
  readonly #unequal: Int32Array;

  constructor(wanted: readonly Wanted[]) {
    const spans: { from: number; to: number; at: number; piece: number }[] = [];
    let bytes = 0;
    for (const [piece, each] of wanted.entries())
      for (let index = 0; index < each.spans.length; index += 2) {
        const [from, to] = [each.spans[index]!, each.spans[index + 1]!];
        spans.push({ from, to, at: bytes, piece });
        bytes += to - from;
      }
    this.#pieceOf = new Int32Array(bytes);
    this.#sizes = new Int32Array(wanted.length);
    for (const { from, to, at, piece } of spans) {
      this.#pieceOf.fill(piece, at, at + to - from);
      this.#sizes[piece]! += to - from;
    }
    this.#spans = spans.toSorted((one, other) => one.from - other.from);
    this.#value = new Float64Array(bytes);
    this.#writer = new Int32Array(bytes);
    this.#touched = new Int32Array(bytes);
    this.#unequal = new Int32Array(wanted.length);
  }

  /** Notes what a writer stores. */
  store({ stores }: Writer): void {
    this.#current++;
    this.#count = 0;
    this.#stored.clear();
    for (const { ranges, values, stored } of stores) {
      const isKnown = values.length === ranges.length;
      for (let index = 0; index < ranges.length; index += 2) {
        const [from, to] = [ranges[index]!, ranges[index + 1]!];
        if (isKnown) this.#range(from, to, values[index]!, values[index + 1]!, stored?.[index]);
        else this.#range(from, to, -1, -1);
      }
    }
  }

  /** A range that has a value, or none if both of its numbers are negative. */
  #range(
    from: number,
    to: number,
    low: number,
    high: number,
    stored: StoredValue | null = null,
  ): void {
    const spans = this.#spans;
    for (let index = this.#firstAfter(from); index < spans.length; index++) {
      const span = spans[index]!;
      if (span.from >= to) return;
      const end = Math.min(to, span.to);
      for (let address = Math.max(from, span.from); address < end; address++) {
        const at = span.at + address - span.from;
        const value = low < 0 && high < 0 ? -1 : byteValue(low, high, address - from);
        const isAgain = this.#writer[at] === this.#current;
        // Two values one after the other are not one: another warp may store between them.
        if (value < 0 || (isAgain && this.#value[at] !== value))
          this.#unequal[this.#pieceOf[at]!] = this.#current;
        if (!isAgain) this.#touched[this.#count++] = at;
        this.#writer[at] = this.#current;
        this.#value[at] = value;
        if (stored !== null) this.#stored.set(at, { value: stored, byte: address - from });
      }
    }
  }

  /** How the bytes of a piece are computed that the writer has stored, in their order. */
  storedIn(piece: number): readonly StoredByte[] {
    if (this.#stored.size === 0) return [];
    const own = [...this.#touched.subarray(0, this.#count)].filter(
      (at) => this.#pieceOf[at] === piece,
    );
    return own
      .sort((one, other) => one - other)
      .map((at) => this.#stored.get(at) ?? { value: null, byte: 0 });
  }

  /** The first span that ends after an address. */
  #firstAfter(address: number): number {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#spans[middle]!.to > address) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** By index of a wanted piece: a number for what the writer stored, if that is a whole piece. */
  wholes(): Map<number, string> {
    const sums = new Map<number, { low: number; high: number; bytes: number }>();
    for (let index = 0; index < this.#count; index++) {
      const at = this.#touched[index]!;
      const piece = this.#pieceOf[at]!;
      if (this.#unequal[piece] === this.#current) continue;
      const value = this.#value[at]!;
      start(hash, at);
      mix(hash, value % 2 ** 32, Math.floor(value / 2 ** 32), 1);
      let sum = sums.get(piece);
      if (sum === undefined) sums.set(piece, (sum = { low: 0, high: 0, bytes: 0 }));
      sum.low = (sum.low + hash.low) >>> 0;
      sum.high = (sum.high + hash.high) >>> 0;
      sum.bytes++;
    }
    const found = new Map<number, string>();
    for (const [piece, { low, high, bytes }] of sums)
      if (bytes === this.#sizes[piece]) found.set(piece, `${low}:${high}`);
    return found;
  }
}

/**
 * Finds the classes that several agents store, and gives them to the writers.
 *
 * @returns The owners of each piece that has such classes.
 */
export function sharedClasses(
  writers: readonly Writer[],
  wanted: readonly Wanted[],
): Map<number, readonly Owner[]> {
  const candidates = new Map<number, Map<string, Candidate>>();
  if (wanted.length > 0) {
    const bytes = new Bytes(wanted);
    for (const writer of writers) {
      if (writer.isOrdered) continue;
      bytes.store(writer);
      for (const [index, key] of bytes.wholes()) {
        const stored = bytes.storedIn(index);
        candidateOf(candidates, wanted[index]!.piece, key, writer, stored);
      }
    }
  }
  const owners = new Map<number, readonly Owner[]>();
  for (const [piece, byStored] of candidates) {
    const list = ownersOf(piece, [...byStored.values()]);
    if (list.length > 0) owners.set(piece, list);
  }
  return owners;
}

/** Adds a writer to the class of what it stores into a piece. */
function candidateOf(
  candidates: Map<number, Map<string, Candidate>>,
  piece: number,
  key: string,
  writer: Writer,
  stored: readonly StoredByte[],
): void {
  let byStored = candidates.get(piece);
  if (byStored === undefined) candidates.set(piece, (byStored = new Map()));
  let candidate = byStored.get(key);
  if (candidate === undefined)
    byStored.set(key, (candidate = { agents: new Set(), writers: [], stored: [] }));
  candidate.stored.push(stored);
  candidate.agents.add(writer.agent);
  candidate.writers.push(writer);
}

/** Bytes of two writers count as equal: those of one value at one time. */
function countBytesAsEqual(one: readonly StoredByte[], other: readonly StoredByte[]): void {
  const { length } = one.length > 0 ? one : other;
  let [last, lastOther]: (StoredValue | null)[] = [null, null];
  for (let index = 0; index < length; index++) {
    const [first, second] = [one[index] ?? NO_VALUE, other[index] ?? NO_VALUE];
    const isWhole = first.value === null || second.value === null || first.byte === second.byte;
    if (isWhole && first.value === last && second.value === lastOther) continue;
    if (isWhole) countAsEqual(first.value, second.value);
    else countAsEqual(first.value, second.value, first.byte, second.byte);
    [last, lastOther] = [first.value, second.value];
  }
}

const NO_VALUE: StoredByte = { value: null, byte: 0 };

/** Numbers the classes that several agents store, those of most agents first. */
function ownersOf(piece: number, candidates: Candidate[]): Owner[] {
  const shared = candidates.filter(({ agents }) => agents.size > 1);
  for (const { stored } of shared)
    for (const each of stored.slice(1)) countBytesAsEqual(stored[0]!, each);
  shared.sort((a, b) => b.agents.size - a.agents.size);
  const places = Math.max(1, Math.ceil(Math.log2(shared.length)));
  const byAgent = new Map<number, Set<number>>();
  for (const [index, { agents, writers }] of shared.entries()) {
    const digits = digitsOf(index, places);
    for (const agent of agents) {
      const own = byAgent.get(agent) ?? new Set();
      byAgent.set(agent, own);
      for (const digit of digits) own.add(digit);
    }
    for (const writer of writers) writer.classes.set(piece, digits);
  }
  return [...byAgent].flatMap(([agent, own]) =>
    [...own].sort((a, b) => a - b).map((number) => ({ agent, class: number })),
  );
}
