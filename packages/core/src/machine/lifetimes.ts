// Faults of operations, and which barriers and buffers they can reach (L02).
import type { BarrierMode, MachineShape } from './shape.ts';
import { lifetimeFault } from './barrier.ts';
import { barrierEnds, endWords, NEVER } from './cta-ends.ts';
import { Fault } from './fault.ts';
import { FlightTable } from './flight-table.ts';
import { OpenFlights } from './flights.ts';
import { Journal } from './journal.ts';
import * as layout from './layout.ts';
import { layOut, type Layout } from './layout.ts';
import { Pools } from './pools.ts';

// V8 folds the constants of a module into its code, and loads those of others at every use.
const { BARRIER_WORDS, E, K } = layout;
const { none: NONE } = Fault;

/** The floor of the machine: its static shape, and what an operation reports. */
export class Lifetimes {
  readonly shape: MachineShape;
  readonly layout: Layout;
  readonly flights: FlightTable;
  /** The open flights of a state. */
  readonly openFlights: OpenFlights;
  protected readonly pools: Pools;
  fault: Fault = NONE;
  faultAt = -1;
  /** Whether a CTA may not end before its own copies (X02, the profile `isa`). */
  isStrictAtEnds = false;
  /** Flights that completed after their own CTA had ended. */
  readonly openAtEnds = new Set<number>();
  /** What operations wrote. Its readers clear it. */
  readonly journal = new Journal();
  /** The first word of the first barrier. */
  readonly #barriers: number;
  /** By physical barrier: the word of its CTA's end, and whether waits test a counter. */
  protected readonly endOf: Int32Array;
  readonly #counts: Uint8Array;
  /** The word of the end of the only CTA; −1 if there are more, or pools. */
  readonly #onlyEnd: number;
  /** By physical buffer: the word of its CTA's end. */
  readonly #bufferEndOf: Int32Array;

  constructor(shape: MachineShape, base: number) {
    this.shape = shape;
    this.flights = new FlightTable(shape.ctas, shape.globals);
    this.layout = layOut(shape, base);
    this.#barriers = this.layout.barriers;
    this.#onlyEnd = shape.ctas === 1 && shape.pools.length === 0 ? this.layout.ctas : -1;
    this.openFlights = new OpenFlights(this.flights, this.layout.flights);
    this.pools = new Pools(shape, this.layout);
    this.endOf = barrierEnds(shape, this.layout);
    this.#bufferEndOf = endWords(shape, this.layout, shape.buffers, shape.globals);
    const isCounter = (_: number, id: number): number => Number(this.modeOf(id) === 'counter');
    this.#counts = Uint8Array.from(this.endOf, isCounter);
  }

  /** The word index of a physical barrier. */
  barrierAt(barrier: number): number {
    return this.#barriers + barrier * BARRIER_WORDS;
  }

  /** Completed phases of a physical barrier. */
  completed(words: Int32Array, barrier: number): number {
    return words[this.barrierAt(barrier) + K]!;
  }

  /** How waits test a physical barrier. */
  modeOf(barrier: number): BarrierMode {
    return this.shape.barriers[Math.floor(barrier / this.shape.ctas)]!.mode;
  }

  /** M09: whether waits compare a physical barrier's phases and not their parity. */
  isCounter(barrier: number): boolean {
    return this.#counts[barrier] === 1;
  }

  /** M02, L02: why a barrier can not be reached from its own CTA now, if it can not. */
  lifeFault(words: Int32Array, barrier: number): Fault {
    const isOver = (words[this.endOf[barrier]!] ?? 0) !== 0;
    return isOver ? Fault.missingDrain : lifetimeFault(words, this.barrierAt(barrier));
  }

  protected report(fault: Fault, at: number): void {
    if (fault === NONE || this.fault !== NONE) return;
    this.fault = fault;
    this.faultAt = at;
  }

  /** L02: whether an operation from `cta` may touch what is in the CTA that ends at word `at`. */
  protected isUp(words: Int32Array, at: number, cta: number): boolean {
    if (at === NEVER) return true;
    return words[at] === 0 && (at === this.layout.ctas + cta * 2 || words[at + 1]! > 0);
  }

  /** L02: notes a fault when `cta` can not reach a barrier any more, or can not yet. */
  reach(words: Int32Array, barrier: number, cta: number): void {
    this.reaches(words, barrier, cta);
  }

  protected reaches(words: Int32Array, barrier: number, cta: number): boolean {
    const isUp = this.mayTouchAll(words) || this.isUp(words, this.endOf[barrier]!, cta);
    if (!isUp || words[this.barrierAt(barrier) + E]! < 0) this.#notReached(words, barrier, isUp);
    return this.fault === NONE;
  }

  #notReached(words: Int32Array, barrier: number, isUp: boolean): void {
    if (!isUp) this.report(Fault.missingDrain, barrier);
    this.report(lifetimeFault(words, this.barrierAt(barrier)), barrier);
  }

  /** Whether any buffer can be touched: one CTA without pools can touch its own until it ends. */
  mayTouchAll(words: Int32Array): boolean {
    return this.#onlyEnd >= 0 && words[this.#onlyEnd] === 0;
  }

  protected touchAll(words: Int32Array, buffers: readonly number[], cta: number): void {
    if (this.mayTouchAll(words)) return;
    for (let i = 0; i < buffers.length; i++) this.touchBuffer(words, buffers[i]!, cta);
  }

  /** S01, A02, L02: notes a fault when a physical buffer can not be touched from `cta`. */
  touchBuffer(words: Int32Array, buffer: number, cta: number): void {
    if (!this.isUp(words, this.#bufferEndOf[buffer]!, cta))
      this.report(Fault.missingDrainOfBuffer, buffer);
    if (!this.pools.isAllocated(words, buffer)) this.report(Fault.useAfterFree, buffer);
  }
}
