// The coarsest pieces of shared memory such that each access is a union of whole pieces. A piece
// that only one agent uses, or that nothing writes, is left out: it cannot be part of a race. One
// that another CTA reaches stays: that CTA may have ended, or not have begun.
import { isGlobal, offsetOf, rankOf, TENSOR_MEMORY } from '../steps/step.ts';
import type { AccessKind, Ranges } from '../steps/step.ts';
import { sharedClasses } from './equal-stores.ts';
import type { Owner, Writer } from './equal-stores.ts';
import type { Reach } from '../steps/reach.ts';
import { areApart, ctaOf } from './reach.ts';
import type { Places, Reaching } from './reach.ts';

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
  /** The scopes of the latter two. */
  readonly reaches: Map<Agent, Set<Reach | undefined>>;
  /** How often asynchronous work touches and writes them: no order holds between two works. */
  touches: number;
  landings: number;
  /** The pieces that it consists of, once they are found. */
  readonly pieces: Piece[];
}

/** A piece of memory that several agents access, one of them to write. */
export interface Piece {
  readonly id: number;
  /** An address in the piece. */
  readonly address: number;
  /** Bytes of the piece. */
  readonly bytes: number;
  /**
   * Agents and classes of writes that do not race with those of another agent in the same class:
   * atomic ones, or stores of equal values. Each has a buffer of its own. Empty where there are
   * none, so that one buffer stands for the piece.
   */
  readonly owners: readonly Owner[];
}

/** Sorted ranges without overlaps. */
export function normalized(ranges: Ranges): number[] {
  const sorted: number[] = [];
  let end = Number.NEGATIVE_INFINITY;
  let last = end;
  for (let index = 0; index < ranges.length; index += 2) {
    const [from, to] = [ranges[index]!, ranges[index + 1]!];
    if (to <= from) continue;
    if (from < last) return sortedOf(ranges);
    last = from;
    if (from <= end) sorted[sorted.length - 1] = end = Math.max(end, to);
    else {
      sorted.push(from, to);
      end = to;
    }
  }
  return sorted;
}

/** Ranges below this address and of so many bytes are sorted as one number each. */
const MAX_PACKED = 2 ** 31;
const MAX_LENGTH = 2 ** 21;

/** The same for ranges in any order. */
function sortedOf(ranges: Ranges): number[] {
  const packed = new Float64Array(ranges.length / 2);
  for (let index = 0; index < ranges.length; index += 2) {
    const [from, to] = [ranges[index]!, ranges[index + 1]!];
    if (to > MAX_PACKED || to - from >= MAX_LENGTH) return sortedPairs(ranges);
    packed[index / 2] = from * MAX_LENGTH + Math.max(0, to - from);
  }
  packed.sort();
  const sorted: number[] = [];
  for (const each of packed) {
    const from = Math.floor(each / MAX_LENGTH);
    sorted.push(from, from + (each % MAX_LENGTH));
  }
  return normalized(sorted);
}

/** The same for ranges at any addresses. */
function sortedPairs(ranges: Ranges): number[] {
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

/** Ranges that belong to the same sets. */
interface Group {
  readonly ids: readonly number[];
  readonly spans: number[];
}

/** Collects accesses and divides the memory that they touch. */
export class Pieces {
  readonly #places: Places;
  readonly #sets = new Map<string, RangeSet>();
  /** The same by the object of the ranges, which several accesses may have. */
  readonly #ofObjects = new Map<Ranges, RangeSet>();
  readonly #numbers = new Map<Ranges, number>();
  readonly #unions = new Map<string, Ranges>();
  readonly #list: RangeSet[] = [];
  readonly #writers: Writer[] = [];
  readonly pieces: Piece[] = [];

  constructor(places: Places = { warps: [], clusterSize: 1 }) {
    this.#places = places;
  }

  /** The ranges of several accesses: one object for the same ones. */
  union(parts: ReadonlySet<Ranges>): Ranges {
    if (parts.size === 1) for (const part of parts) return part;
    let key = '';
    for (const part of parts) key += ` ${this.#numberOf(part)}`;
    let ranges = this.#unions.get(key);
    if (ranges === undefined) this.#unions.set(key, (ranges = [...parts].flat()));
    return ranges;
  }

  #numberOf(ranges: Ranges): number {
    let number = this.#numbers.get(ranges);
    if (number === undefined) this.#numbers.set(ranges, (number = this.#numbers.size));
    return number;
  }

  /** The set of an access, to which the agent is added. */
  add(ranges: Ranges, agent: Agent, isWrite: boolean, kind: AccessKind, reach?: Reach): RangeSet {
    const set = this.#setOf(ranges);
    if (kind === 'plain') (isWrite ? set.plainWriters : set.plainReaders).add(agent);
    else {
      (isWrite ? set.orderedWriters : set.orderedReaders).add(agent);
      const reaches = set.reaches.get(agent) ?? new Set();
      set.reaches.set(agent, reaches.add(reach));
    }
    return set;
  }

  #setOf(ranges: Ranges): RangeSet {
    const known = this.#ofObjects.get(ranges);
    if (known !== undefined) return known;
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
        reaches: new Map(),
        touches: 0,
        landings: 0,
        pieces: [],
      };
      this.#sets.set(key, set);
      this.#list.push(set);
    }
    this.#ofObjects.set(ranges, set);
    return set;
  }

  /** The same for asynchronous work, which also meets other work of its agent. */
  addWork(ranges: Ranges, agent: Agent, isWrite: boolean): RangeSet {
    const set = this.add(ranges, agent, isWrite, 'plain');
    set.touches++;
    if (isWrite) set.landings++;
    return set;
  }

  #reductions = 0;

  /** The number of one more reduction, from 1. */
  nextReduction(): number {
    return ++this.#reductions;
  }

  /** Adds what one action of a warp stores, to be compared with the stores of other warps. */
  stored(writer: Writer): void {
    this.#writers.push(writer);
  }

  /** Divides the memory: fills the pieces of each set. */
  divide(areStoresCompared = true): void {
    const contested = this.#groups().filter(
      ({ ids, spans }) =>
        this.#isContested(ids) || this.#isRemote(ids, spans[0]!) || this.#areApart(ids),
    );
    const writtenTwice = contested.flatMap(({ ids, spans }, piece) =>
      this.#union(ids, 'plainWriters').size < 2 ? [] : [{ piece, spans }],
    );
    const shared = sharedClasses(areStoresCompared ? this.#writers : [], writtenTwice);
    for (const [id, { ids, spans }] of contested.entries()) {
      let bytes = 0;
      for (let index = 0; index < spans.length; index += 2)
        bytes += spans[index + 1]! - spans[index]!;
      const owners = [...this.#ordered(ids), ...(shared.get(id) ?? [])];
      const piece: Piece = { id, address: spans[0]!, bytes, owners };
      this.pieces.push(piece);
      for (const set of ids) this.#list[set]!.pieces.push(piece);
    }
  }

  /** Ranges between two neighboring ends, by the sets that they belong to. */
  #groups(): Group[] {
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
    const groups = new Map<string, Group>();
    for (const [index, ids] of signatures.entries()) {
      if (ids.length === 0) continue;
      const key = ids.join(',');
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { ids, spans: [cuts[index]!, cuts[index + 1]!] });
      else group.spans.push(cuts[index]!, cuts[index + 1]!);
    }
    return [...groups.values()];
  }

  #union(ids: readonly number[], field: (typeof KINDS)[number]): Set<Agent> {
    return new Set(ids.flatMap((id) => [...this.#list[id]![field]]));
  }

  #isContested(ids: readonly number[]): boolean {
    const readers = this.#union(ids, 'plainReaders');
    const writers = this.#union(ids, 'plainWriters');
    const orderedReaders = this.#union(ids, 'orderedReaders');
    const orderedWriters = this.#union(ids, 'orderedWriters');
    const all = new Set([...readers, ...writers, ...orderedReaders, ...orderedWriters]);
    const sets = ids.map((id) => this.#list[id]!);
    const areWorks = sum(sets, 'landings') > 0 && sum(sets, 'touches') > 1;
    return areWorks || conflict(writers, all) || conflict(orderedWriters, readers);
  }

  /** Whether an agent reaches shared memory of another CTA. */
  #isRemote(ids: readonly number[], address: number): boolean {
    if (isGlobal(address) || offsetOf(address) >= TENSOR_MEMORY) return false;
    const agents = KINDS.flatMap((kind) => [...this.#union(ids, kind)]);
    const ctas = agents.map((agent) => ctaOf(this.#places, agent));
    return ctas.some((cta) => cta >= 0 && cta !== rankOf(address));
  }

  /** Whether a volatile or atomic write meets such accesses that a scope does not include. */
  #areApart(ids: readonly number[]): boolean {
    const writers = this.#reaching(ids, 'orderedWriters');
    const all = [...writers, ...this.#reaching(ids, 'orderedReaders')];
    if (all.every(({ reach }) => reach === undefined)) return false;
    return writers.some((writer) => all.some((other) => areApart(this.#places, writer, other)));
  }

  /** Agents that make volatile or atomic accesses, each with each of its scopes. */
  #reaching(ids: readonly number[], field: 'orderedReaders' | 'orderedWriters'): Reaching[] {
    return [...this.#union(ids, field)].flatMap((agent) => {
      const reaches = ids.flatMap((id) => [...(this.#list[id]!.reaches.get(agent) ?? [])]);
      return [...new Set(reaches)].map((reach) => ({ agent, reach }));
    });
  }

  /** Agents whose volatile or atomic writes meet those of others. */
  #ordered(ids: readonly number[]): Owner[] {
    const writers = this.#union(ids, 'orderedWriters');
    const isMet = writers.size > 1 || this.#union(ids, 'orderedReaders').size > 0;
    if (!isMet) return [];
    return this.#reaching(ids, 'orderedWriters').map((owner) => ({ ...owner, class: 0 }));
  }
}

const KINDS = ['plainReaders', 'plainWriters', 'orderedReaders', 'orderedWriters'] as const;

function sum(sets: readonly RangeSet[], field: 'touches' | 'landings'): number {
  return sets.reduce((total, set) => total + set[field], 0);
}

/** Whether an agent of one set meets another agent of the other. */
function conflict(writers: ReadonlySet<Agent>, others: ReadonlySet<Agent>): boolean {
  for (const writer of writers) for (const other of others) if (writer !== other) return true;
  return false;
}
