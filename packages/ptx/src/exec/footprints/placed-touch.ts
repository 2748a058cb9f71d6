// What a touch of one cluster is in another one of its class, lane by lane.
import { OPAQUE } from '../../values/origin.ts';
import type { Origin, Picked, Place } from '../../values/origin.ts';
import type { Wide } from '../../values/wide.ts';
import type { Work } from '../origins/work.ts';
import { Evaluator } from '../origins/evaluate.ts';
import { addressesOf } from './touches.ts';
import type { BoxTouch, Touch } from '../../steps/touches.ts';

const out: Wide = { low: 0, high: 0 };
const WORD = 2 ** 32;

/** An address behind another one, modulo the size of memory. */
function addressIn({ low, high }: Wide, offset: number): number {
  const sum = high * WORD + low + offset;
  if (high < MOST && sum >= 0) return sum;
  return Number(BigInt.asUintN(64, (BigInt(high) << 32n) + BigInt(low) + BigInt(offset)));
}

/** Sums of addresses with smaller high halves are exact. */
const MOST = 2 ** 20;

/** A touch in a cluster. */
export interface TouchIn {
  readonly touch: Touch;
  readonly cluster: number;
}

/** An evaluator, and the cluster in which it has computed its values last. */
interface Placing {
  readonly evaluator: Evaluator;
  cluster: number;
}

/** Evaluates expressions of touches: together those of touches that are looked at together. */
export class TouchPlacer {
  readonly #work: Work;
  readonly #places: readonly Place[];
  readonly #together = new Map<Origin, ReadonlySet<Origin>>();
  readonly #placings = new Map<Origin, Placing>();

  constructor(work: Work, places: readonly Place[], together: readonly (readonly Touch[])[] = []) {
    this.#work = work;
    this.#places = places;
    for (const touches of together) {
      const all = touches.flatMap(({ origin, guard }) => [origin, guard?.guard ?? null]);
      const origins = new Set(all.filter((origin) => origin !== null));
      for (const origin of origins) this.#together.set(origin, origins);
    }
  }

  /** Whether so much was computed that nothing is known any more. */
  get isOver(): boolean {
    return this.#work.isOver;
  }

  /** Whether some lane makes in a cluster what a predicate guards. */
  holds(guard: Picked, cluster: number): boolean {
    return this.#lanesOf(guard, guard.mask, cluster) !== 0;
  }

  /** The lanes of a mask in which a predicate holds, or may hold. */
  #lanesOf({ guard, isNegated }: Picked, mask: number, cluster: number): number {
    const evaluator = this.#at(guard, cluster);
    if (evaluator === null) return mask;
    let lanes = 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const isKnown = evaluator.valueOf(guard, lane, out);
      if (!isKnown || (out.low !== 0) !== isNegated) lanes |= 1 << lane;
    }
    return lanes;
  }

  /**
   * The ranges of a touch in a cluster.
   *
   * @param shift How far it is there from where it was executed; `null`: it has to be evaluated.
   * @returns `null` where an address is not known there.
   */
  rangesIn(touch: Touch, cluster: number, shift: number | null): number[] | null {
    const ranges: number[] = [];
    const isKnown = this.#visit(touch, cluster, shift, (_lane, from, bytes) => {
      if (ranges.at(-1) === from) ranges[ranges.length - 1] = from + bytes;
      else ranges.push(from, from + bytes);
    });
    return isKnown ? ranges : null;
  }

  /** Calls back with what each lane touches in a cluster; `false` where an address is not known. */
  lanesIn(
    touch: Touch,
    cluster: number,
    shift: number | null,
    visit: (lane: number, from: number, bytes: number) => void,
  ): boolean {
    return this.#visit(touch, cluster, shift, visit);
  }

  #visit(
    touch: Touch,
    cluster: number,
    shift: number | null,
    visit: (lane: number, from: number, bytes: number) => void,
  ): boolean {
    const { lanes, guard, origin, isSized } = touch;
    let { bytes } = touch;
    const executing = guard === null ? lanes : this.#lanesOf(guard, lanes, cluster);
    const addresses = addressesOf(touch);
    const evaluator = shift === null ? this.#at(origin!, cluster) : null;
    if (shift === null && evaluator === null) return false;
    for (let rest = lanes, index = 0; rest !== 0; rest &= rest - 1, index++) {
      const lane = 31 - Math.clz32(rest & -rest);
      if (((executing >>> lane) & 1) === 0) continue;
      let from = addresses[index]! + (shift ?? 0);
      if (evaluator !== null) {
        if (!evaluator.valueOf(origin!, lane, out)) return false;
        from = addressIn(out, touch.offset);
      }
      if (isSized === true)
        bytes = Math.min(touch.bytes, this.#sizeOf(guard!.guard, lane, cluster));
      visit(lane, from, bytes);
    }
    return true;
  }

  /** How many bytes a lane touches in a cluster, at most. */
  #sizeOf(size: Origin, lane: number, cluster: number): number {
    const evaluator = this.#at(size, cluster);
    return evaluator?.valueOf(size, lane, out) === true ? out.low : Infinity;
  }

  /** Where in its tensor a box lies in a cluster; `null`: nowhere, or that is not known. */
  cornerIn({ lane, corner, origins, guard }: BoxTouch, cluster: number): number[] | null {
    if (guard !== null && this.#lanesOf(guard, 1 << lane, cluster) === 0) return null;
    const there: number[] = [];
    for (const [index, at] of corner!.entries()) {
      const origin = origins[index]!;
      // Of an opaque one only the cluster that was executed is asked for.
      if (origin === null || origin === OPAQUE) {
        there.push(at);
        continue;
      }
      if (this.#at(origin, cluster)?.valueOf(origin, lane, out) !== true) return null;
      there.push(out.low | 0);
    }
    return there;
  }

  /** Whether a touch that stores the same in two clusters does so in two others, too. */
  storesSame({ touch, cluster }: TouchIn, { cluster: another }: TouchIn): boolean {
    if (touch.stored === null) return false;
    if (cluster === another) return true;
    return touch.stored.origins.every(
      (origin) => origin === null || this.#isSame(origin, touch.lanes, cluster, another),
    );
  }

  /** Whether an expression is the same in two clusters. */
  #isSame(origin: Origin, lanes: number, cluster: number, another: number): boolean {
    const [first, last] = [cluster, another].map((each) => {
      const evaluator = this.#at(origin, each);
      if (evaluator === null) return null;
      let text = '';
      for (let rest = lanes; rest !== 0; rest &= rest - 1) {
        const isKnown = evaluator.valueOf(origin, 31 - Math.clz32(rest & -rest), out);
        text += `${isKnown} ${out.low} ${out.high} `;
      }
      return text;
    });
    return first !== null && first === last;
  }

  #at(origin: Origin, cluster: number): Evaluator | null {
    if (origin.evaluate === null) return null;
    let placing = this.#placings.get(origin);
    if (placing === undefined) {
      const origins = this.#together.get(origin) ?? [origin];
      placing = { evaluator: new Evaluator([...origins]), cluster: -1 };
      for (const each of origins) this.#placings.set(each, placing);
    }
    const { evaluator } = placing;
    if (placing.cluster === cluster) return evaluator;
    if (!this.#work.takes(evaluator.cost)) return null;
    evaluator.at(this.#places[cluster]!);
    placing.cluster = cluster;
    return evaluator;
  }
}
