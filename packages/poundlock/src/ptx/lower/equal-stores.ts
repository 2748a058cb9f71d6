// Stores of equal values into the same bytes by several warps: such stores do not race. Each action
// of a warp has a class for each piece that it writes; two actions of one class store the same.
import type { Ranges } from '../steps/step.ts';
import { mix, start } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';

/** The class of volatile and atomic accesses; those of equal stores begin at 1. */
export const ORDERED_CLASS = 0;

/** The most agents and classes of equal stores of one piece; further classes count as unequal. */
const MAX_OWNERS = 64;

/** The writes of one agent in one class. */
export interface Owner {
  readonly agent: number;
  readonly class: number;
}

/** What one step stored: two numbers that identify the value for each range; none if unknown. */
export interface Stored {
  readonly ranges: Ranges;
  readonly values: readonly number[];
}

/** An action that writes, of a warp itself. */
export interface Writer {
  readonly agent: number;
  readonly isOrdered: boolean;
  readonly stores: readonly Stored[];
  /** The class of what it stores, by the number of the piece; absent if none shares it. */
  readonly classes: Map<number, number>;
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

/**
 * Finds the classes that several agents store, and gives them to the writers.
 *
 * @returns The owners of each piece that has such classes.
 */
export function sharedClasses(
  writers: readonly Writer[],
  wanted: readonly Wanted[],
): Map<number, readonly Owner[]> {
  const pieceOf = new Map<number, number>();
  const sizes = new Map<number, number>();
  for (const { piece, spans } of wanted) {
    let bytes = 0;
    for (let index = 0; index < spans.length; index += 2)
      for (let address = spans[index]!; address < spans[index + 1]!; address++, bytes++)
        pieceOf.set(address, piece);
    sizes.set(piece, bytes);
  }
  const candidates = new Map<number, Map<string, Candidate>>();
  if (pieceOf.size > 0) {
    for (const writer of writers)
      if (!writer.isOrdered) classify(writer, pieceOf, sizes, candidates);
  }
  const owners = new Map<number, readonly Owner[]>();
  for (const [piece, byStored] of candidates) {
    const list = ownersOf(piece, [...byStored.values()]);
    if (list.length > 0) owners.set(piece, list);
  }
  return owners;
}

/** Adds a writer to the class of what it stores into each piece, if that is one value a byte. */
function classify(
  writer: Writer,
  pieceOf: ReadonlyMap<number, number>,
  sizes: ReadonlyMap<number, number>,
  candidates: Map<number, Map<string, Candidate>>,
): void {
  /** The value of each byte. */
  const stored = new Map<number, number>();
  const unequal = new Set<number>();
  for (const { ranges, values } of writer.stores) {
    const isKnown = values.length === ranges.length;
    for (let index = 0; index < ranges.length; index += 2) {
      const from = ranges[index]!;
      for (let address = from; address < ranges[index + 1]!; address++) {
        const piece = pieceOf.get(address);
        if (piece === undefined) continue;
        const value = isKnown ? byteValue(values[index]!, values[index + 1]!, address - from) : -1;
        const before = stored.get(address);
        // Two values one after the other are not one: another warp may store between them.
        if (value < 0 || (before !== undefined && before !== value)) unequal.add(piece);
        stored.set(address, value);
      }
    }
  }
  const sums = new Map<number, { low: number; high: number; bytes: number }>();
  for (const [address, value] of stored) {
    const piece = pieceOf.get(address)!;
    if (unequal.has(piece)) continue;
    start(hash, address);
    mix(hash, value % 2 ** 32, Math.floor(value / 2 ** 32), 1);
    let sum = sums.get(piece);
    if (sum === undefined) sums.set(piece, (sum = { low: 0, high: 0, bytes: 0 }));
    sum.low = (sum.low + hash.low) >>> 0;
    sum.high = (sum.high + hash.high) >>> 0;
    sum.bytes++;
  }
  for (const [piece, { low, high, bytes }] of sums) {
    if (bytes !== sizes.get(piece)) continue;
    let byStored = candidates.get(piece);
    if (byStored === undefined) candidates.set(piece, (byStored = new Map()));
    const key = `${low}:${high}`;
    let candidate = byStored.get(key);
    if (candidate === undefined)
      byStored.set(key, (candidate = { agents: new Set(), writers: [] }));
    candidate.agents.add(writer.agent);
    candidate.writers.push(writer);
  }
}

/** Numbers the classes that several agents store, those of most agents first. */
function ownersOf(piece: number, candidates: Candidate[]): Owner[] {
  const shared = candidates.filter(({ agents }) => agents.size > 1);
  shared.sort((a, b) => b.agents.size - a.agents.size);
  const owners: Owner[] = [];
  let next = ORDERED_CLASS + 1;
  for (const { agents, writers } of shared) {
    if (owners.length + agents.size > MAX_OWNERS) break;
    const number = next++;
    for (const agent of agents) owners.push({ agent, class: number });
    for (const writer of writers) writer.classes.set(piece, number);
  }
  return owners;
}
