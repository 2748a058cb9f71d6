// Whether decisions are the same in another place. The lanes of all of them are one list of
// numbers, as they are looked at in one place after the other.
import { mapKey } from '../../launch/map-key.ts';
import type { Launch } from '../../launch/launch.ts';
import type { BlockDecision } from '../../steps/block-decision.ts';
import type { Place } from '../../values/origin.ts';
import { LANES } from '../../values/register-file.ts';
import type { Wide } from '../../values/wide.ts';
import { isInWindow } from './block-decisions.ts';
import { Evaluator } from './evaluate.ts';

const out: Wide = { low: 0, high: 0 };

/** Decisions, looked at in one place after the other. */
export class Alike {
  readonly #decisions: readonly BlockDecision[];
  readonly #launch: Launch;
  /** Computes decisions as the run does, which has no numbers for addresses where they decide. */
  readonly #evaluator: Evaluator;
  /** By decision: the number of its expression. */
  readonly #origins: Int32Array;
  /** By lane of a decision: the number of its unknown data, from 0; −1: it is known. */
  readonly #terms: Int32Array;
  readonly #matches: Matches;

  constructor(decisions: readonly BlockDecision[], launch: Launch) {
    this.#decisions = decisions;
    this.#launch = launch;
    const origins = decisions.map(({ origin }) => origin);
    this.#evaluator = new Evaluator(origins, { hidesAddresses: true });
    this.#origins = Int32Array.from(origins, (origin) => this.#evaluator.numberOf(origin));
    const numbers = new Map<string, number>();
    const terms: number[] = [];
    for (const { mask, known, values } of decisions)
      for (let rest = mask, at = 0; rest !== 0; rest &= rest - 1, at += 2) {
        const key = `${values[at]!}:${values[at + 1]!}`;
        const isKnown = (known & rest & -rest) !== 0;
        if (!isKnown && !numbers.has(key)) numbers.set(key, numbers.size);
        terms.push(isKnown ? -1 : numbers.get(key)!);
      }
    this.#terms = Int32Array.from(terms);
    this.#matches = new Matches(numbers.size);
  }

  /** Computations for each place. */
  get cost(): number {
    return this.#evaluator.cost;
  }

  /** The first decision that is another one in a place; `null`: none is. */
  partingIn(place: Place): BlockDecision | null {
    this.#evaluator.at(place);
    this.#matches.clear();
    let first = 0;
    for (const [index, decision] of this.#decisions.entries()) {
      if (!this.#isSame(decision, this.#origins[index]!, first)) return decision;
      first += decision.values.length >> 1;
    }
    return null;
  }

  #isSame({ what, mask, values }: BlockDecision, origin: number, first: number): boolean {
    for (let lane = 0, at = 0; lane < LANES; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const isOne = this.#evaluator.valueAt(origin, lane, out);
      const term = this.#terms[first + at]!;
      if (isOne !== term < 0) return false;
      const isAlike = isOne
        ? isAlikeIn(what, values[2 * at]!, values[2 * at + 1]!, this.#launch)
        : this.#matches.match(term, out.low, out.high);
      if (!isAlike) return false;
      at++;
    }
    return true;
  }
}

/** Unknown data may be other data, but what is the same here has to be the same there. */
export class Matches {
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  /** By data here: the place in which it was last found there, by number. */
  readonly #times: Int32Array;
  /** A table of what was found there, by its low bits: data here and the number of the place. */
  readonly #table: Int32Array;
  readonly #tableTimes: Int32Array;
  readonly #mask: number;
  #time = 0;

  constructor(count: number) {
    this.#low = new Uint32Array(count);
    this.#high = new Uint32Array(count);
    this.#times = new Int32Array(count);
    const size = 2 ** (33 - Math.clz32(2 * count + 1));
    this.#table = new Int32Array(size);
    this.#tableTimes = new Int32Array(size);
    this.#mask = size - 1;
  }

  /** Begins with another place. */
  clear(): void {
    this.#time++;
  }

  /** Whether data here may be what was found there. */
  match(here: number, low: number, high: number): boolean {
    if (this.#times[here] === this.#time) return this.#isFound(here, low, high);
    for (let at = low & this.#mask; ; at = (at + 1) & this.#mask) {
      if (this.#tableTimes[at] === this.#time) {
        if (this.#isFound(this.#table[at]!, low, high)) return false;
        continue;
      }
      this.#tableTimes[at] = this.#time;
      this.#table[at] = here;
      break;
    }
    this.#times[here] = this.#time;
    this.#low[here] = low;
    this.#high[here] = high;
    return true;
  }

  #isFound(here: number, low: number, high: number): boolean {
    return this.#low[here] === low >>> 0 && this.#high[here] === high >>> 0;
  }
}

function isAlikeIn(
  what: BlockDecision['what'],
  low: number,
  high: number,
  { tensorMaps }: Launch,
): boolean {
  switch (what) {
    case 'truth':
      return (low === 0) === (out.low === 0);
    case 'value':
      return low === out.low && high === out.high;
    case 'window':
      return isInWindow(high) || isInWindow(out.high) ? low === out.low && high === out.high : true;
    case 'map': {
      const one = mapKey(true, low, high);
      const two = mapKey(true, out.low, out.high);
      return one === two || !(tensorMaps.has(one) || tensorMaps.has(two));
    }
  }
}
