// Whether the order of a warp's steps holds for its lanes, too, so that one list stands for all.
import type { Step } from '../steps/step.ts';
import { carriesOut, letsIn } from './effects.ts';
import type { IssuersOf } from './groups.ts';
import { LANES, lanesOf, lowest, makersOf } from './mask.ts';
import { bundleAt } from './segments.ts';
import type { Segment } from './segments.ts';

/** What lanes know of the steps of a segment so far. */
class Ledger {
  /** By lane: the lanes that know its last step; 0 where it has made none. */
  readonly #knowers = new Int32Array(LANES);
  #active = 0;
  /** For each step that lets in: the lanes that know of it, as long as not all do. */
  #open: number[] = [];

  /** Some lanes join: each knows what one of them knew. */
  join(members: number): void {
    for (let rest = this.#active; rest !== 0; rest &= rest - 1) {
      const lane = lowest(rest);
      if ((this.#knowers[lane]! & members) !== 0) this.#knowers[lane]! |= members;
    }
    this.#open = this.#open.map((known) => ((known & members) === 0 ? known : known | members));
  }

  /** Whether each of some lanes knows of all that was let in. */
  knowAll(lanes: number): boolean {
    return this.#open.every((known) => (lanes & ~known) === 0);
  }

  /** Whether one of some lanes knows the last step of each lane. */
  knowLast(lanes: number): boolean {
    for (let rest = this.#active; rest !== 0; rest &= rest - 1)
      if ((this.#knowers[lowest(rest)]! & lanes) === 0) return false;
    return true;
  }

  /** Some lanes make a step. */
  make(lanes: number): void {
    this.#active |= lanes;
    for (const lane of lanesOf(lanes)) this.#knowers[lane] = 1 << lane;
  }

  /** Lanes know something that the others do not. */
  letIn(lanes: number, all: number): void {
    if ((all & ~lanes) !== 0 && !this.#open.includes(lanes)) this.#open.push(lanes);
  }
}

/**
 * Whether the order of the steps of a segment is one of its lanes, as far as a proof of the whole
 * warp may use it (`docs/explanation/lanes.md`): every lane that makes a step knows of each step
 * before it that let something in, and of the lanes that let something out, one knows the last
 * step of every lane.
 */
export function isTight(
  steps: readonly Step[],
  { from, to }: Segment,
  all: number,
  issuersOf: IssuersOf,
): boolean {
  const ledger = new Ledger();
  for (let at = from; at < to;) {
    const step = steps[at]!;
    if (step.op === 'join') {
      ledger.join(makersOf(step, all));
      at++;
      continue;
    }
    const bundle = bundleAt(steps, at, to, all);
    const parts = steps.slice(at, bundle.to);
    for (const part of parts) {
      const makers = makersOf(part, all);
      if (!ledger.knowAll(makers)) return false;
      if (!carriesOut(part)) continue;
      if (!ledger.knowLast(bundle.hasOneTarget ? bundle.lanes : makers)) return false;
    }
    ledger.make(bundle.lanes);
    for (const part of parts) {
      if (!letsIn(part)) continue;
      const makers = makersOf(part, all);
      if (part.op !== 'waitGroup') ledger.letIn(makers, all);
      else {
        const issuers = issuersOf(part.unit);
        if ((issuers & ~makers) !== 0) return false;
        if (issuers !== 0) ledger.letIn(issuers, all);
      }
    }
    at = bundle.to;
  }
  return true;
}
