// The coarsest pieces of shared memory such that each access is a union of whole pieces. A piece
// that only one agent uses, or that nothing writes, is left out: it cannot be part of a race.
import { mix } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';
import type { AccessKind, Ranges } from '../steps/step.ts';

/** What accesses memory: a warp, the copies that a warp issues, or its asynchronous work. */
export type Agent = number;

/** A set of ranges that some accesses have in common. */
export interface RangeSet {
  readonly id: number;
  readonly ranges: Ranges;
  readonly plainReaders: Set<Agent>;
  readonly plainWriters: Set<Agent>;
  /** Volatile and atomic accesses, which do not race with each other. */
  readonly orderedReaders: Set<Agent>;
  readonly orderedWriters: Set<Agent>;
  /** The pieces that it consists of, once they are found. */
  readonly pieces: Piece[];
}

/** A piece of memory that several agents access, one of them to write. */
export interface Piece {
  readonly id: number;
  /** An address in the piece. */
  readonly address: number;
  /** Bytes of the piece. */
  bytes: number;
  /**
   * Agents whose writes do not race with each other, because they are atomic or store equal
   * values. Each has a buffer of its own, and all others access all of them.
   */
  readonly compatible: readonly Agent[];
}

/** Sorted ranges without overlaps. */
export function normalized(ranges: Ranges): number[] {
  const pairs: [number, number][] = [];
  for (let index = 0; index < ranges.length; index += 2)
    if (ranges[index + 1]! > ranges[index]!) pairs.push([ranges[index]!, ranges[index + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  const flat: number[] = [];
  for (const [from, to] of pairs) {
    if (flat.length > 0 && from <= flat.at(-1)!) flat[flat.length - 1] = Math.max(flat.at(-1)!, to);
    else flat.push(from, to);
  }
  return flat;
}

/** What one access stored: two numbers that identify the value for each range. */
interface Stored {
  readonly ranges: Ranges;
  readonly values: readonly number[];
  readonly agent: Agent;
}

/** The values that one agent stored into a byte, in order, as one number. */
interface History extends Wide {
  count: number;
}

/** Collects accesses and divides the memory that they touch. */
export class Pieces {
  readonly #sets = new Map<string, RangeSet>();
  readonly #list: RangeSet[] = [];
  readonly #stores: Stored[] = [];
  /** Histories of the bytes that several agents write. */
  readonly #histories = new Map<number, Map<Agent, History>>();
  readonly pieces: Piece[] = [];

  /** The set of an access, to which the agent is added. */
  add(ranges: Ranges, agent: Agent, isWrite: boolean, kind: AccessKind): RangeSet {
    const flat = normalized(ranges);
    const key = flat.join(' ');
    let set = this.#sets.get(key);
    if (set === undefined) {
      set = {
        id: this.#list.length,
        ranges: flat,
        plainReaders: new Set(),
        plainWriters: new Set(),
        orderedReaders: new Set(),
        orderedWriters: new Set(),
        pieces: [],
      };
      this.#sets.set(key, set);
      this.#list.push(set);
    }
    if (kind === 'plain') (isWrite ? set.plainWriters : set.plainReaders).add(agent);
    else (isWrite ? set.orderedWriters : set.orderedReaders).add(agent);
    return set;
  }

  /** Records what an agent stored: two numbers that identify the value for each range. */
  stored(ranges: Ranges, values: readonly number[], agent: Agent): void {
    this.#stores.push({ ranges, values, agent });
  }

  /** Collects the histories of the bytes in which `isWanted` has a 1. */
  #collect(isWanted: ReadonlySet<number>): void {
    for (const { ranges, values, agent } of this.#stores) {
      const hasValues = values.length === ranges.length;
      for (let index = 0; index < ranges.length; index += 2) {
        const from = ranges[index]!;
        const to = ranges[index + 1]!;
        for (let address = from; address < to; address++) {
          if (!isWanted.has(address)) continue;
          const history = this.#history(address, agent);
          history.count++;
          // A value of unknown identity is equal to no other.
          if (hasValues) mixByte(history, values[index]!, values[index + 1]!, address - from);
          else mix(history, agent, history.count, 0);
        }
      }
    }
  }

  #history(address: number, agent: Agent): History {
    let byAgent = this.#histories.get(address);
    if (byAgent === undefined) this.#histories.set(address, (byAgent = new Map()));
    let history = byAgent.get(agent);
    if (history === undefined) byAgent.set(agent, (history = { low: 0, high: 0, count: 0 }));
    return history;
  }

  /** Whether all agents stored equal values in the same order everywhere in a range. */
  #areEqual(from: number, to: number, agents: ReadonlySet<Agent>): boolean {
    let isStored = false;
    for (let address = from; address < to; address++) {
      const byAgent = this.#histories.get(address);
      if (byAgent === undefined) continue;
      isStored = true;
      let first: History | undefined;
      for (const agent of agents) {
        const history = byAgent.get(agent);
        if (history === undefined) return false;
        first ??= history;
        if (
          history.low !== first.low ||
          history.high !== first.high ||
          history.count !== first.count
        )
          return false;
      }
    }
    return isStored;
  }

  /** Divides the memory: fills the pieces of each set. */
  divide(): void {
    const cuts = [...new Set(this.#list.flatMap(({ ranges }) => ranges))].sort((a, b) => a - b);
    const indexOf = new Map(cuts.map((cut, index) => [cut, index]));
    const signatures: number[][] = cuts.map(() => []);
    for (const { id, ranges } of this.#list) {
      for (let range = 0; range < ranges.length; range += 2) {
        const end = indexOf.get(ranges[range + 1]!)!;
        for (let index = indexOf.get(ranges[range]!)!; index < end; index++)
          signatures[index]!.push(id);
      }
    }
    const groups = new Map<string, { readonly ids: readonly number[]; readonly spans: number[] }>();
    for (const [index, ids] of signatures.entries()) {
      if (ids.length === 0) continue;
      const key = ids.join(',');
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { ids, spans: [cuts[index]!, cuts[index + 1]!] });
      else group.spans.push(cuts[index]!, cuts[index + 1]!);
    }
    this.#collect(this.#writtenTwice([...groups.values()]));
    for (const { ids, spans } of groups.values()) this.#piece(ids, spans);
  }

  /** Bytes that several agents write with plain stores. */
  #writtenTwice(
    groups: readonly { readonly ids: readonly number[]; readonly spans: readonly number[] }[],
  ): Set<number> {
    const bytes = new Set<number>();
    for (const { ids, spans } of groups) {
      const writers = new Set(ids.flatMap((id) => [...this.#list[id]!.plainWriters]));
      if (writers.size < 2) continue;
      for (let index = 0; index < spans.length; index += 2)
        for (let address = spans[index]!; address < spans[index + 1]!; address++)
          bytes.add(address);
    }
    return bytes;
  }

  #piece(ids: readonly number[], spans: readonly number[]): void {
    const sets = ids.map((id) => this.#list[id]!);
    const union = (agents: (set: RangeSet) => ReadonlySet<Agent>): Set<Agent> =>
      new Set(sets.flatMap((set) => [...agents(set)]));
    const readers = union((set) => set.plainReaders);
    const writers = union((set) => set.plainWriters);
    const orderedReaders = union((set) => set.orderedReaders);
    const orderedWriters = union((set) => set.orderedWriters);
    const all = new Set([...readers, ...writers, ...orderedReaders, ...orderedWriters]);
    const isContested = conflict(writers, all) || conflict(orderedWriters, readers);
    if (!isContested) return;
    let compatible: Agent[] = [];
    if (orderedWriters.size > 0 && (orderedWriters.size > 1 || orderedReaders.size > 0))
      compatible = [...new Set([...orderedReaders, ...orderedWriters])];
    else if (
      writers.size > 1 &&
      spansAreEqual(spans, (from, to) => this.#areEqual(from, to, writers))
    )
      compatible = [...writers];
    let bytes = 0;
    for (let index = 0; index < spans.length; index += 2)
      bytes += spans[index + 1]! - spans[index]!;
    const piece: Piece = { id: this.pieces.length, address: spans[0]!, bytes, compatible };
    this.pieces.push(piece);
    for (const set of sets) set.pieces.push(piece);
  }
}

function spansAreEqual(
  spans: readonly number[],
  areEqual: (from: number, to: number) => boolean,
): boolean {
  for (let index = 0; index < spans.length; index += 2)
    if (!areEqual(spans[index]!, spans[index + 1]!)) return false;
  return true;
}

/**
 * Adds a byte of a value to a history. Known values of up to 4 bytes have 0 as their second number
 * and are compared byte by byte; others by their identity and the byte's index.
 */
function mixByte(history: History, low: number, high: number, index: number): void {
  if (high === 0 && index < 4) mix(history, (low >>> (8 * index)) & 0xff, 0, 1);
  else mix(history, low, high, index + 2);
}

/** Whether an agent of one set meets another agent of the other. */
function conflict(writers: ReadonlySet<Agent>, others: ReadonlySet<Agent>): boolean {
  for (const writer of writers) for (const other of others) if (writer !== other) return true;
  return false;
}
