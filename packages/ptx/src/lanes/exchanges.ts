// Lanes of one warp that touch the same bytes without an order between them.
import { countAsEqual } from '../exec/origins/equal-values.ts';
import type { StoredValue } from '../steps/stored-value.ts';
import type { Step } from '../steps/step.ts';
import { Contested } from './contested.ts';
import { makersOf } from './mask.ts';
import { LaneOrder } from './order.ts';
import type { Segment } from './segments.ts';
import { partOf, touchesOf } from './touches.ts';
import type { Touch } from './touches.ts';

/** One of the two accesses of an exchange. */
export interface Party {
  readonly lane: number;
  /** The number of its step among those of the warp. */
  readonly at: number;
  readonly isWrite: boolean;
  readonly isOrdered: boolean;
  readonly isAtomic: boolean;
  /** Whether unknown data decides that it happens, or where. */
  readonly isPossible: boolean;
  /** What is stored, and where it begins; −1 where it is not known. */
  readonly low: number;
  readonly high: number;
  readonly start: number;
  /** How it is computed from the place of the block; `null`: it is not. */
  readonly stored: StoredValue | null;
}

/** Two lanes that touch the same bytes, one of them to write, which no join orders. */
export interface Exchange {
  readonly first: Party;
  readonly second: Party;
  /** Whether nothing can order them: the second lane waits for nothing in between. */
  readonly isCertain: boolean;
  /** Whether unknown data decides if they meet. */
  readonly isPossible: boolean;
}

/** Accesses of a cell so far. */
interface Cell {
  /** The last write, by each of the lanes that made it. */
  writes: Party[];
  /** The last read of each lane since the last write. */
  readonly reads: Map<number, Party>;
}

/** The most exchanges of one segment that are looked at. */
const MAX_EXCHANGES = 256;

/** Exchanges of a segment. */
export interface Exchanges {
  readonly found: readonly Exchange[];
  /** The step before which there were too many to look at more; −1 if all were looked at. */
  readonly cutAt: number;
}

const NONE: Exchanges = { found: [], cutAt: -1 };

/** The exchanges of a segment that neither a join nor an mbarrier of its own lanes orders. */
export function exchangesIn(
  steps: readonly Step[],
  segment: Segment,
  all: number,
  ended: ReadonlyMap<number, readonly Touch[]>,
): Exchanges {
  const touches: Touch[] = [];
  // A load that is made again between loads alone meets what it met the first time.
  const loads = new Set<Step>();
  for (let at = segment.from; at < segment.to; at++) {
    const step = steps[at]!;
    if (loads.has(step)) continue;
    if (isLoad(step)) loads.add(step);
    else loads.clear();
    touches.push(...touchesOf(step, at, all), ...(ended.get(at) ?? []));
  }
  const contested = Contested.of(touches);
  return contested === null ? NONE : new Search(steps, segment, all, touches, contested).found();
}

function isLoad(step: Step): boolean {
  return step.op === 'access' && step.writes.length === 0;
}

class Search {
  readonly #steps: readonly Step[];
  readonly #segment: Segment;
  readonly #all: number;
  readonly #touches: readonly Touch[];
  readonly #contested: Contested;
  readonly #order = new LaneOrder();
  readonly #cells = new Map<number, Cell>();
  readonly #found = new Map<string, Exchange>();

  constructor(
    steps: readonly Step[],
    segment: Segment,
    all: number,
    touches: readonly Touch[],
    contested: Contested,
  ) {
    this.#steps = steps;
    this.#segment = segment;
    this.#all = all;
    this.#touches = touches;
    this.#contested = contested;
  }

  found(): Exchanges {
    let next = 0;
    let cutAt = -1;
    for (let at = this.#segment.from; at < this.#segment.to; at++) {
      const first = next;
      while (next < this.#touches.length && this.#touches[next]!.at === at) next++;
      // One step is one access: all of its parts come after what was before it.
      const touches = this.#touches.slice(first, next);
      for (const touch of touches) this.#eachCell(touch, (cell, party) => this.#meets(cell, party));
      for (const touch of touches)
        if (!touch.isIssue) this.#eachCell(touch, (cell, party) => this.#note(cell, party));
      if (this.#found.size >= MAX_EXCHANGES && next < this.#touches.length) {
        cutAt = at;
        break;
      }
      const step = this.#steps[at]!;
      this.#order.make(at, step, makersOf(step, this.#all));
    }
    return { found: [...this.#found.values()], cutAt };
  }

  /** Visits the contested cells of a touch with the lane that touches each. */
  #eachCell(touch: Touch, visit: (cell: Cell, party: Party) => void): void {
    const { ranges, lanes, isWrite, kind, values, stored, at } = touch;
    for (const [index, lane] of lanes.entries()) {
      const own = partOf(ranges, index, lanes.length);
      const isKnown =
        values.length === ranges.length && own.length * lanes.length === ranges.length;
      for (let range = 0; range < own.length; range += 2) {
        const value = own.length * index + range;
        const party: Party = {
          lane,
          at,
          isWrite,
          isOrdered: kind !== 'plain',
          isAtomic: kind === 'atomic',
          isPossible: touch.isPossible,
          low: isKnown ? values[value]! : -1,
          high: isKnown ? values[value + 1]! : -1,
          start: isKnown ? own[range]! : -1,
          stored: (isKnown ? stored?.[value] : null) ?? null,
        };
        this.#contested.forEach(own[range]!, own[range + 1]!, (number) => {
          let cell = this.#cells.get(number);
          if (cell === undefined)
            this.#cells.set(number, (cell = { writes: [], reads: new Map() }));
          visit(cell, party);
        });
      }
    }
  }

  /** An access meets those before it. */
  #meets(cell: Cell, party: Party): void {
    for (const write of cell.writes) this.#compare(write, party);
    if (party.isWrite) for (const read of cell.reads.values()) this.#compare(read, party);
  }

  /** An access is one that others meet; work that was issued is so by its end. */
  #note(cell: Cell, party: Party): void {
    if (!party.isWrite) {
      cell.reads.set(party.lane, party);
      return;
    }
    if (cell.writes[0]?.at === party.at) cell.writes.push(party);
    else {
      cell.writes = [party];
      cell.reads.clear();
    }
  }

  #compare(first: Party, second: Party): void {
    if (first.lane === second.lane || first.at === second.at || !meet(first, second)) return;
    if (this.#order.knows(second.lane, first.lane, first.at)) return;
    const key = `${first.lane} ${second.lane} ${first.at} ${second.at}`;
    if (this.#found.has(key)) return;
    const isPossible = first.isPossible || second.isPossible;
    const isCertain = !isPossible && this.#order.entered(second.lane) < first.at;
    this.#found.set(key, { first, second, isCertain, isPossible });
  }
}

/**
 * Whether the order of two accesses matters: not of atomic ones, of equal stores, and of volatile
 * stores, whose order a kernel cannot rely on.
 */
function meet(first: Party, second: Party): boolean {
  if (first.isAtomic && second.isAtomic) return false;
  const areStores = first.isWrite && second.isWrite;
  if (!areStores)
    return !(first.isAtomic || second.isAtomic) || !first.isOrdered || !second.isOrdered;
  if (first.isOrdered && second.isOrdered) return false;
  const isKnown = first.start >= 0 && first.start === second.start;
  if (!isKnown || first.low !== second.low || first.high !== second.high) return true;
  countAsEqual(first.stored, second.stored);
  return false;
}
