// Which clusters of a grid make the steps of one that was executed: a class (theorem B1).
//
// A run of a cluster notes the values that decide what its warps do. Another cluster in which each
// of them is the same makes the same steps, but for addresses in global memory.
import { mapKey } from '../../launch/map-key.ts';
import { volume } from '../../launch/launch.ts';
import type { Dimensions, Launch } from '../../launch/launch.ts';
import { LANES } from '../../values/register-file.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Place } from '../../values/origin.ts';
import type { Wide } from '../../values/wide.ts';
import { isInWindow } from './block-decisions.ts';
import type { BlockDecision } from '../../steps/block-decision.ts';
import { Evaluator } from './evaluate.ts';

/** The most computations of all clusters of one class. */
const MAX_COMPUTATIONS = 50_000_000;

const out: Wide = { low: 0, high: 0 };

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
  /** Whether telling which clusters are covered takes too long. */
  isTooMuch = false;

  constructor(launch: Launch) {
    this.#launch = launch;
    this.across = clustersAcross(launch);
    this.#classes = new Uint16Array(volume(this.across));
  }

  /** Clusters of each class, in the order of the runs. */
  get sizes(): readonly number[] {
    return this.#sizes;
  }

  /** The next cluster that is not covered: the last one first, then in order; −1: there is none. */
  get next(): number {
    const last = this.#classes.length - 1;
    return this.#classes[last] === 0 ? last : this.#classes.indexOf(0);
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
    const evaluator = new Evaluator(
      decisions.map(({ origin }) => origin),
      { hidesAddresses: true },
    );
    if (evaluator.cost * this.#classes.length > MAX_COMPUTATIONS) {
      this.isTooMuch = true;
      return;
    }
    for (let other = 0; other < this.#classes.length; other++) {
      if (this.#classes[other] !== 0) continue;
      evaluator.at(placeOf(other, this.across));
      const parting = this.#partingOf(decisions, evaluator);
      if (parting === null) {
        this.#classes[other] = number;
        this.#sizes[number - 1]!++;
      } else this.parting ??= { at: parting.at, cluster: other };
    }
  }

  /** The first decision that is another one in a cluster. */
  #partingOf(decisions: readonly BlockDecision[], evaluator: Evaluator): BlockDecision | null {
    const terms = new Map<string, string>();
    const others = new Map<string, string>();
    return decisions.find((each) => !this.#isSame(each, evaluator, terms, others)) ?? null;
  }

  #isSame(
    { origin, what, mask, values, known }: BlockDecision,
    evaluator: Evaluator,
    terms: Map<string, string>,
    others: Map<string, string>,
  ): boolean {
    for (let lane = 0, at = 0; lane < LANES; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const low = values[at++]!;
      const high = values[at++]!;
      const isKnown = evaluator.valueOf(origin, lane, out);
      if (isKnown !== (((known >>> lane) & 1) === 1)) return false;
      if (isKnown) {
        if (!this.#isAlike(what, low, high)) return false;
        continue;
      }
      // Unknown data may be other data, but what is the same here has to be the same there.
      const term = `${low}:${high}`;
      const other = `${out.low}:${out.high}`;
      if ((terms.get(term) ?? other) !== other || (others.get(other) ?? term) !== term)
        return false;
      terms.set(term, other);
      others.set(other, term);
    }
    return true;
  }

  #isAlike(what: BlockDecision['what'], low: number, high: number): boolean {
    switch (what) {
      case 'truth':
        return (low === 0) === (out.low === 0);
      case 'value':
        return low === out.low && high === out.high;
      case 'window':
        return isInWindow(high) || isInWindow(out.high)
          ? low === out.low && high === out.high
          : true;
      case 'map': {
        const { tensorMaps } = this.#launch;
        const one = mapKey(true, low, high);
        const two = mapKey(true, out.low, out.high);
        return one === two || !(tensorMaps.has(one) || tensorMaps.has(two));
      }
    }
  }
}
