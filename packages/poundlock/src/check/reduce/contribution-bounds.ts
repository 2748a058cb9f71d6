// Upper bounds of the contributions of agents to each barrier, and of the phases they complete.
import { E, K, P, T, type Machine } from '@poundlock/core/internal/machine';

/** What one move contributes to one barrier. */
export interface Contribution {
  /** Arrivals in all, and the most that one thread makes at once. */
  readonly arrivals: number;
  readonly most: number;
  /** Bytes that are expected together with an arrival, or alone; bytes that are completed. */
  readonly expected: number;
  readonly expectedAlone: number;
  readonly completed: number;
}

/** The answer of {@link ContributionBounds.outcome} when the order of contributions may matter. */
export const ORDER_MATTERS = -1;

/** Contributions by physical barrier, as upper bounds: some may never come. */
export class ContributionBounds {
  readonly #machine: Machine;
  readonly #arrivals: Float64Array;
  readonly #most: Float64Array;
  readonly #expected: Float64Array;
  readonly #expectedAlone: Float64Array;
  readonly #completed: Float64Array;
  /** Contributions of any kind, and copies that are not counted or that complete no bytes. */
  readonly #events: Int32Array;
  readonly #odd: Int32Array;
  readonly #touched: number[] = [];

  constructor(machine: Machine) {
    const barriers = machine.shape.barriers.length * machine.shape.ctas;
    this.#machine = machine;
    this.#arrivals = new Float64Array(barriers);
    this.#most = new Float64Array(barriers);
    this.#expected = new Float64Array(barriers);
    this.#expectedAlone = new Float64Array(barriers);
    this.#completed = new Float64Array(barriers);
    this.#events = new Int32Array(barriers);
    this.#odd = new Int32Array(barriers);
  }

  clear(): void {
    for (const barrier of this.#touched) {
      this.#arrivals[barrier] = 0;
      this.#most[barrier] = 0;
      this.#expected[barrier] = 0;
      this.#expectedAlone[barrier] = 0;
      this.#completed[barrier] = 0;
      this.#events[barrier] = 0;
      this.#odd[barrier] = 0;
    }
    this.#touched.length = 0;
  }

  arrive(barrier: number, count: number, lanes: number, bytes: number): void {
    this.#touch(barrier);
    this.#arrivals[barrier]! += count * lanes;
    if (count > this.#most[barrier]!) this.#most[barrier] = count;
    this.#expected[barrier]! += bytes;
  }

  expect(barrier: number, bytes: number): void {
    this.#touch(barrier);
    this.#expectedAlone[barrier]! += bytes;
  }

  complete(barrier: number, bytes: number): void {
    this.#touch(barrier);
    this.#completed[barrier]! += bytes;
    if (bytes <= 0) this.#odd[barrier]!++;
  }

  /** Contributions of any kind, any number of times. */
  repeat(barrier: number): void {
    this.#touch(barrier);
    this.#arrivals[barrier] = Number.POSITIVE_INFINITY;
    this.#odd[barrier]!++;
  }

  /** A copy is under way that will not complete before a fixed agent moves. */
  linger(barrier: number): void {
    this.#touch(barrier);
    this.#odd[barrier]!++;
  }

  /** At most so many phases are over after any of the contributions. */
  latest(words: Int32Array, barrier: number): number {
    const at = this.#machine.barrierAt(barrier);
    const phases = words[at + K]!;
    if (this.#events[barrier] === 0) return phases;
    const arrivals = this.#arrivals[barrier]!;
    const pending = words[at + P]!;
    if (arrivals < pending) return phases;
    if (arrivals > pending) return this.#after(words, at, arrivals);
    // With no arrival left, all bytes that come with one are expected.
    const most = words[at + T]! + this.#expected[barrier]! + this.#expectedAlone[barrier]!;
    const least = words[at + T]! + this.#expected[barrier]! - this.#completed[barrier]!;
    return least > 0 || most < 0 ? phases : phases + 1;
  }

  /**
   * At most so many phases are over after `own` and any of the contributions in any order, or
   * {@link ORDER_MATTERS} unless all orders of the same contributions lead to the same state of the
   * barrier, without a fault on the way.
   */
  outcome(words: Int32Array, barrier: number, own: Contribution): number {
    const at = this.#machine.barrierAt(barrier);
    const [expected, pending, bytes] = [words[at + E]!, words[at + P]!, words[at + T]!];
    const phases = words[at + K]!;
    if (expected < 1) return ORDER_MATTERS;
    const arrivals = this.#arrivals[barrier]! + own.arrivals;
    // The phase can not complete: numbers are added, in whatever order.
    if (arrivals < pending) return phases;
    const change = own.expected + own.expectedAlone - own.completed;
    if (this.#events[barrier] === 0) {
      return bytes + change === 0 ? this.#after(words, at, arrivals) : phases;
    }
    const expects = this.#expected[barrier]! + own.expected;
    const alone = this.#expectedAlone[barrier]! + own.expectedAlone;
    const completes = this.#completed[barrier]! + own.completed;
    const odd = this.#odd[barrier]! > 0;
    if (bytes === 0 && expects === 0 && alone === 0 && completes === 0 && !odd) {
      // Single arrivals are alike: which of them ends a phase makes no difference.
      const isSingle = this.#most[barrier]! <= 1 && own.most <= 1;
      return isSingle || arrivals === pending ? this.#after(words, at, arrivals) : ORDER_MATTERS;
    }
    // Every arrival is of this phase, and brings its bytes: the last completion ends the phase.
    if (arrivals !== pending || alone !== 0 || odd) return ORDER_MATTERS;
    const left = bytes + expects - completes;
    if (left < 0) return ORDER_MATTERS;
    return left === 0 ? phases + 1 : phases;
  }

  /** How many phases are over after so many arrivals, which end the one under way at least. */
  #after(words: Int32Array, at: number, arrivals: number): number {
    const expected = words[at + E]!;
    if (expected < 1) return Number.POSITIVE_INFINITY;
    return words[at + K]! + 1 + Math.floor((arrivals - words[at + P]!) / expected);
  }

  #touch(barrier: number): void {
    if (this.#events[barrier]!++ === 0) this.#touched.push(barrier);
  }
}
