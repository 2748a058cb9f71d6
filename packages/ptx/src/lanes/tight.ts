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
  #open: { known: number; readonly barrier: number | null }[] = [];

  /** Some lanes join: each knows what one of them knew. */
  join(members: number): void {
    for (let rest = this.#active; rest !== 0; rest &= rest - 1) {
      const lane = lowest(rest);
      if ((this.#knowers[lane]! & members) !== 0) this.#knowers[lane]! |= members;
    }
    for (const open of this.#open) if ((open.known & members) !== 0) open.known |= members;
  }

  /** Whether each of some lanes knows of all that was let in, as far as a step depends on it. */
  knowAll(lanes: number, step: Step): boolean {
    return this.#open.every(({ known, barrier }) => {
      const matters = barrier === null || usesBarrier(step, barrier);
      return !matters || (lanes & ~known) === 0;
    });
  }

  /** Whether one of some lanes knows the last step of each lane. */
  knowLast(lanes: number): boolean {
    for (let rest = this.#active; rest !== 0; rest &= rest - 1)
      if ((this.#knowers[lowest(rest)]! & lanes) === 0) return false;
    return true;
  }

  /**
   * Some lanes make a wait together, if they keep up with one another: what passed it for one of
   * them has passed it for all, so that a lane of them knows no less than before of the others.
   */
  waitTogether(lanes: number): void {
    for (const lane of lanesOf(lanes)) {
      const isActive = ((this.#active >>> lane) & 1) !== 0;
      const knew = isActive ? this.#knowers[lane]! : lanes;
      this.#knowers[lane] = (knew & lanes) | (1 << lane);
    }
    this.#active |= lanes;
  }

  /** Some lanes make a step. */
  make(lanes: number): void {
    this.#active |= lanes;
    for (const lane of lanesOf(lanes)) this.#knowers[lane] = 1 << lane;
  }

  /** Lanes know something that the others do not. */
  letIn(lanes: number, all: number, barrier: number | null): void {
    if ((all & ~lanes) === 0) return;
    const isOpen = this.#open.some((open) => open.known === lanes && open.barrier === barrier);
    if (!isOpen) this.#open.push({ known: lanes, barrier });
  }
}

/** The mbarrier that a step makes or ends, which matters to those alone that use it. */
function initializedBy(step: Step): number | null {
  return step.op === 'init' || step.op === 'invalidate' ? step.barrier : null;
}

/** Whether a step is on an mbarrier. */
function usesBarrier(step: Step, barrier: number): boolean {
  if (step.op === 'copy') return step.signals.some((signal) => signal.barrier === barrier);
  if (step.op === 'commit') return step.barriers.includes(barrier);
  // Memory that was an mbarrier is accessed, and others may do so, too.
  if (step.op === 'access' || step.op === 'use' || step.op === 'last') return true;
  return 'barrier' in step && step.barrier === barrier;
}

/** The lanes of a warp, and what is taken for granted of them. */
export interface Lanes {
  readonly all: number;
  readonly issuersOf: IssuersOf;
  readonly keepUp: boolean;
}

/**
 * Whether the order of the steps of a segment is one of its lanes, as far as a proof of the whole
 * warp may use it (`docs/explanation/lanes.md`): every lane that makes a step knows of each step
 * before it that let something in, and of the lanes that let something out, one knows the last
 * step of every lane. If lanes are taken to keep up with one another (`keepUp`), a wait that they
 * make together is no step that only the others know.
 */
export function isTight(
  steps: readonly Step[],
  { from, to }: Segment,
  { all, issuersOf, keepUp }: Lanes,
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
      if (!ledger.knowAll(makers, part)) return false;
      if (!carriesOut(part)) continue;
      if (!ledger.knowLast(bundle.hasOneTarget ? bundle.lanes : makers)) return false;
    }
    if (!keepUp || step.op !== 'wait') ledger.make(bundle.lanes);
    else for (const part of parts) ledger.waitTogether(makersOf(part, all));
    for (const part of parts) {
      if (!letsIn(part)) continue;
      const makers = makersOf(part, all);
      if (part.op !== 'waitGroup') ledger.letIn(makers, all, initializedBy(part));
      else {
        const issuers = issuersOf(part.unit);
        if ((issuers & ~makers) !== 0) return false;
        if (issuers !== 0) ledger.letIn(issuers, all, null);
      }
    }
    at = bundle.to;
  }
  return true;
}
