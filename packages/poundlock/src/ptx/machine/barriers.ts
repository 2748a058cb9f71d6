// The mbarriers of a reference run: pending arrivals, pending bytes, completed phases.

/** The state of one mbarrier. */
export interface Barrier {
  /** Arrivals that each phase expects. */
  expected: number;
  /** Arrivals that the current phase still expects. */
  pending: number;
  /** Bytes that the current phase still expects; negative where copies came first. */
  bytes: number;
  /** Completed phases. */
  phase: number;
  /** Whether a copy of unknown size arrived in the current phase, so that bytes do not count. */
  isLoose: boolean;
}

/** The mbarriers of a cluster by their addresses. */
export class Barriers {
  readonly #barriers = new Map<number, Barrier>();

  init(address: number, count: number): void {
    this.#barriers.set(address, {
      expected: count,
      pending: count,
      bytes: 0,
      phase: 0,
      isLoose: false,
    });
  }

  invalidate(address: number): void {
    this.#barriers.delete(address);
  }

  /** All barriers with their addresses. */
  get all(): ReadonlyMap<number, Barrier> {
    return this.#barriers;
  }

  /** The barrier at an address, or `undefined` where none was initialized. */
  at(address: number): Barrier | undefined {
    return this.#barriers.get(address);
  }

  /** Whether the phase with a parity is complete: what `test_wait.parity` answers. */
  isComplete(barrier: Barrier, parity: number): boolean {
    return (barrier.phase & 1) !== parity;
  }

  /**
   * Arrives, after `expect` more bytes are expected.
   *
   * @returns Whether there were as many arrivals left.
   */
  arrive(barrier: Barrier, arrivals: number, expect: number, isDrop: boolean): boolean {
    barrier.bytes += expect;
    const isEnough = arrivals <= barrier.pending;
    barrier.pending = Math.max(0, barrier.pending - arrivals);
    if (isDrop) barrier.expected = Math.max(0, barrier.expected - arrivals);
    this.#complete(barrier);
    return isEnough;
  }

  /** Adds to the bytes that are expected; a completion is negative. */
  expect(barrier: Barrier, bytes: number): void {
    barrier.bytes += bytes;
    this.#complete(barrier);
  }

  /** A copy whose size is not known completes its bytes. */
  completeUnknown(barrier: Barrier): void {
    barrier.isLoose = true;
    this.#complete(barrier);
  }

  #complete(barrier: Barrier): void {
    if (barrier.pending !== 0 || (barrier.bytes !== 0 && !barrier.isLoose)) return;
    barrier.phase++;
    barrier.pending = barrier.expected;
    barrier.bytes = 0;
    barrier.isLoose = false;
  }
}
