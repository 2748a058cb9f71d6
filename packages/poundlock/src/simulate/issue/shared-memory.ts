// A memory that all SMs share, as one of them sees it: its share of the bandwidth, and a queue.

/** The load above which the queue grows no longer: the bandwidth is the limit then. */
const FULL = 1;

/** Requests of an SM, while the other SMs ask for as much. */
export class SharedMemory {
  readonly #queueCycles: number;
  readonly #steepness: number;
  readonly #loadCycles: number;
  #served = 0;
  #load = 0;
  #at = 0;

  /** `loadCycles`: the time over which the load is averaged. */
  constructor(queueCycles: number, steepness: number, loadCycles: number) {
    this.#queueCycles = queueCycles;
    this.#steepness = steepness;
    this.#loadCycles = loadCycles;
  }

  /** When a request that takes so many cycles of the SM's share has been served. */
  serve(time: number, cycles: number): number {
    if (time > this.#at) {
      this.#load *= Math.exp((this.#at - time) / this.#loadCycles);
      this.#at = time;
    }
    const load = Math.min(this.#load / this.#loadCycles, FULL);
    this.#load += cycles;
    this.#served = Math.max(this.#served, time) + cycles;
    return this.#served + (this.#queueCycles * load) / (1 - this.#steepness * load);
  }

  /** When all requests so far have been served. */
  get servedAt(): number {
    return this.#served;
  }
}
