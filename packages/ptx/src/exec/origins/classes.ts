// Which clusters of a grid make the steps of one that was executed: a class (theorem B1).
//
// A run of a cluster notes the values that decide what its warps do. Another cluster in which each
// of them is the same makes the same steps, but for addresses in global memory.
import { volume } from '../../launch/launch.ts';
import type { Dimensions, Launch } from '../../launch/launch.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Place } from '../../values/origin.ts';
import type { BlockDecision } from '../../steps/block-decision.ts';
import { coverOf } from './cover.ts';
import { Work } from './work.ts';

/** The most values that are computed to tell clusters apart, and the most at first. */
export const MAX_COMPUTATIONS = 1_000_000_000;
export const MANY_COMPUTATIONS = 50_000_000;

/** The clusters of a grid along each axis. */
export function clustersAcross({ grid, cluster }: Launch): Dimensions {
  return [grid[0] / cluster[0], grid[1] / cluster[1], grid[2] / cluster[2]];
}

/** The place of a cluster by its number. */
export function placeOf(number: number, [x, y]: Dimensions): Place {
  return [number % x, Math.floor(number / x) % y, Math.floor(number / (x * y))];
}

/** Why not all clusters are covered: the first value that two of them do not share. */
export interface Parting {
  readonly at: number;
  readonly cluster: number;
}

/** Which clusters are covered by runs, and where the others part from them. */
export class Classes {
  readonly across: Dimensions;
  readonly #launch: Launch;
  /** By cluster: the number of its class, from 1; 0: none yet. */
  readonly #classes: Uint16Array;
  readonly #sizes: number[] = [];
  /** Where the first cluster that is not covered parts from the last run. */
  parting: Parting | null = null;
  readonly #work: Work;

  constructor(launch: Launch, isLate?: () => boolean, most = MAX_COMPUTATIONS) {
    this.#launch = launch;
    this.#work = new Work(most, isLate);
    this.across = clustersAcross(launch);
    this.#classes = new Uint16Array(volume(this.across));
  }

  /** The number of the class of a cluster, from 1; 0: none yet. */
  classOf(cluster: number): number {
    return this.#classes[cluster]!;
  }

  /** Whether telling which clusters are covered takes too long. */
  get isTooMuch(): boolean {
    return this.#work.isOver;
  }

  /** Clusters of each class, in the order of the runs. */
  get sizes(): readonly number[] {
    return this.#sizes;
  }

  /**
   * The next cluster that is not covered: the last one first, then where the last run parts from
   * others; −1: there is none.
   */
  get next(): number {
    const last = this.#classes.length - 1;
    if (this.#classes[last] === 0) return last;
    const { cluster = -1 } = this.parting ?? {};
    return this.#classes[cluster] === 0 ? cluster : this.#classes.indexOf(0);
  }

  /** The ranges of clusters of a class: `[first, last]`. */
  rangesOf(index: number): (readonly [number, number])[] {
    const ranges: [number, number][] = [];
    for (const [number, own] of this.#classes.entries()) {
      if (own !== index + 1) continue;
      const range = ranges.at(-1);
      if (range?.[1] === number - 1) range[1] = number;
      else ranges.push([number, number]);
    }
    return ranges;
  }

  /** Adds the run of a cluster, and all clusters that it covers. */
  add(cluster: number, decisions: readonly BlockDecision[], isComplete: boolean): void {
    const number = this.#sizes.length + 1;
    this.#classes[cluster] = number;
    this.#sizes.push(1);
    const opaque = decisions.find(({ origin }) => origin === OPAQUE);
    if (opaque !== undefined || !isComplete) {
      this.parting = { at: opaque?.at ?? -1, cluster };
      return;
    }
    const { partingAt } = coverOf(decisions, {
      launch: this.#launch,
      across: this.across,
      each: (visit) => this.#eachOpen(visit),
      work: this.#work,
    });
    this.parting = null;
    for (let other = 0; other < this.#classes.length && !this.isTooMuch; other++) {
      if (this.#classes[other] !== 0) continue;
      const parting = partingAt(placeOf(other, this.across));
      if (parting === null) {
        this.#classes[other] = number;
        this.#sizes[number - 1]!++;
      } else this.parting ??= { at: parting.at, cluster: other };
    }
  }

  /** Visits the places of all clusters that are in no class. */
  #eachOpen(visit: (place: Place) => void): void {
    for (const [number, own] of this.#classes.entries())
      if (own === 0) visit(placeOf(number, this.across));
  }
}
