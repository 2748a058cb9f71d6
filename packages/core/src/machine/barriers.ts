// What operations do to mbarriers: arrivals, bytes, and the ends of phases (M01-M14).
import { arrive, arriveDrop, changeBytes, init, MAX_PENDING } from './barrier.ts';
import { parityPasses, signal } from './barrier.ts';
import { Fault } from './fault.ts';
import type { Flight } from './flight-table.ts';
import type { Instruction } from './instruction.ts';
import * as layout from './layout.ts';
import { Lifetimes } from './lifetimes.ts';

// V8 folds the constants of a module into its code, and loads those of others at every use.
const { E, K, P } = layout;
const { none: NONE } = Fault;

const NOWHERE = -1;

/** The barriers of the machine. */
export class Barriers extends Lifetimes {
  /** Set when a phase completes or a life ends. Its readers clear it. */
  hasCompleted = false;
  /** The one barrier whose phase completed since, −1 when there may be others. */
  completedAt = NOWHERE;

  /** M07, M09: whether a wait for absolute phase `phase` passes. */
  passes(words: Int32Array, barrier: number, phase: number): boolean {
    const completed = this.completed(words, barrier);
    return this.isCounter(barrier) ? completed > phase : parityPasses(completed, phase);
  }

  // Lists are gone through by index: iterators make functions too large to be inlined.

  /** M03: performs an `arrive`, as `Machine.issue` does. */
  arrive(words: Int32Array, { barriers, cta, arrivals, lanes, bytes }: Instruction): void {
    this.fault = NONE;
    for (let i = 0; i < barriers.length; i++) {
      this.arriveAt(words, barriers[i]!, cta, arrivals, lanes, bytes);
    }
  }

  /** M03: `lanes` threads each arrive `count` times on a physical barrier. */
  arriveAt(
    words: Int32Array,
    barrier: number,
    cta: number,
    count: number,
    lanes: number,
    bytes: number,
  ): void {
    if (!this.reaches(words, barrier, cta)) return;
    const at = this.barrierAt(barrier);
    const completed = words[at + K];
    this.journal.noteTwo(at + P);
    this.report(arrive(words, at, count, lanes, bytes), barrier);
    if (words[at + K] !== completed) this.#endPhase(words, barrier);
  }

  protected bytesAll(words: Int32Array, { barriers, cta }: Instruction, bytes: number): void {
    for (let i = 0; i < barriers.length; i++) this.bytesAt(words, barriers[i]!, cta, bytes);
  }

  /** M04: `bytes` more (or, negative, fewer) are missing at a physical barrier. */
  bytesAt(words: Int32Array, barrier: number, cta: number, bytes: number): void {
    if (!this.reaches(words, barrier, cta)) return;
    const at = this.barrierAt(barrier);
    const completed = words[at + K];
    this.journal.noteTwo(at + P);
    this.report(changeBytes(words, at, bytes), barrier);
    if (words[at + K] !== completed) this.#endPhase(words, barrier);
  }

  /** M05: `count` threads arrive at a physical barrier, and leave it for good. */
  dropAt(words: Int32Array, barrier: number, cta: number, count: number): void {
    if (!this.reaches(words, barrier, cta)) return;
    const at = this.barrierAt(barrier);
    const completed = words[at + K];
    this.report(arriveDrop(words, at, count), barrier);
    if (words[at + K] !== completed) this.#endPhase(words, barrier);
  }

  /** M11: a phase has ended; it must not while a copy that signals it is still under way. */
  #endPhase(words: Int32Array, barrier: number): void {
    this.journal.note(this.barrierAt(barrier) + K);
    this.completedAt = this.hasCompleted ? NOWHERE : barrier;
    this.hasCompleted = true;
    if (this.openFlights.hasBytesTo(words, barrier)) this.report(Fault.txMismatch, barrier);
  }

  /** U08: the phases of the barriers wait for one more arrival each. */
  protected expectMore(words: Int32Array, { barriers, cta, arrivals }: Instruction): void {
    for (const barrier of barriers) {
      if (!this.reaches(words, barrier, cta)) continue;
      const at = this.barrierAt(barrier);
      this.journal.noteTwo(at + P);
      words[at + P]! += arrivals;
      if (words[at + P]! > MAX_PENDING) this.report(Fault.txOutOfRange, barrier);
    }
  }

  protected signal(words: Int32Array, flight: Flight): void {
    const { barrier, cta } = flight;
    if (!this.reaches(words, barrier, cta)) return;
    const at = this.barrierAt(barrier);
    const completed = words[at + K];
    this.journal.noteTwo(at + P);
    this.report(signal(words, at, flight), barrier);
    if (words[at + K] !== completed) this.#endPhase(words, barrier);
  }

  protected init(words: Int32Array, instruction: Instruction): number {
    this.endsLifetimes();
    const at = this.barrierAt(instruction.target);
    const { target, cta } = instruction;
    if (!this.isUp(words, this.endOf[target]!, cta)) this.report(Fault.missingDrain, target);
    if (words[at + E]! >= 0) this.report(Fault.uninitialisedBarrier, instruction.target);
    init(words, at, instruction.arrivals);
    return 0;
  }

  protected endsLifetimes(): void {
    this.hasCompleted = true;
    this.completedAt = NOWHERE;
  }
}
