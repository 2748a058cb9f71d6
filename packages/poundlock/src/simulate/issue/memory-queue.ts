// A memory that all SMs share, as one of them sees it: its share of the bandwidth, and a queue.
import type { Costs } from '../model.ts';
import { exp } from '../portable-math.ts';

/** The load above which the queue grows no longer: the bandwidth is the limit then. */
const FULL = 1;

/** Requests of an SM, while the other SMs ask for as much. */
export class MemoryQueue {
  readonly #queueCycles: number;
  readonly #steepness: number;
  readonly #loadCycles: number;
  #load = 0;
  #at = 0;
  /** When all requests so far have been served. */
  served = 0;
  /** Cycles of the SM's share that were taken. */
  taken = 0;

  constructor({ queueSteepness, loadCycles }: Costs, queueCycles: number) {
    this.#queueCycles = queueCycles;
    this.#steepness = queueSteepness;
    this.#loadCycles = loadCycles;
  }

  /** When a request that takes so many cycles of the SM's share has been served. */
  serve(time: number, cycles: number): number {
    if (time > this.#at) {
      this.#load *= exp((this.#at - time) / this.#loadCycles);
      this.#at = time;
    }
    const load = Math.min(this.#load / this.#loadCycles, FULL);
    this.#load += cycles;
    this.taken += cycles;
    this.served = Math.max(this.served, time) + cycles;
    const queued = (this.#queueCycles * load) / (1 - this.#steepness * load);
    return Math.max(this.served, time + cycles + queued);
  }
}
