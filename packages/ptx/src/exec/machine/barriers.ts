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
  /** Whether data was written over its bytes. */
  data: 'none' | 'possible' | 'certain';
}

const BARRIER_BYTES = 8;

/** The mbarriers of a cluster by their addresses. */
export class Barriers {
  readonly #barriers = new Map<number, Barrier>();

  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;

  /**
   * Bytes are written as data: the barriers there are none any more.
   *
   * @returns Whether there was one.
   */
  writeData(from: number, to: number, isCertain: boolean): boolean {
    if (to <= this.#least || from >= this.#most) return false;
    let isMet = false;
    const isShort = to - from <= BARRIER_BYTES;
    const first = from - (from % BARRIER_BYTES);
    const addresses = isShort ? [first, first + BARRIER_BYTES] : this.#barriers.keys();
    for (const address of addresses) {
      if (address + BARRIER_BYTES <= from || address >= to) continue;
      const barrier = this.#barriers.get(address);
      if (barrier === undefined || barrier.data === 'certain') continue;
      barrier.data = isCertain ? 'certain' : 'possible';
      isMet = true;
    }
    return isMet;
  }

  init(address: number, count: number): void {
    this.#least = Math.min(this.#least, address);
    this.#most = Math.max(this.#most, address + BARRIER_BYTES);
    this.#barriers.set(address, {
      expected: count,
      pending: count,
      bytes: 0,
      phase: 0,
      isLoose: false,
      data: 'none',
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
