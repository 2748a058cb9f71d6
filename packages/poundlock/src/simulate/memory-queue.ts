// The queue of requests of one CTA at a memory that all CTAs share.
import type { Costs } from './model.ts';
import { exp } from './portable-math.ts';

/** The load at which queues stop growing: above it, the share of the bandwidth is the limit. */
const FULL_LOAD = 1;

/** The requests of one CTA at the L2 or at HBM, each of which takes so long of its share. */
export class MemoryQueue {
  #costs: Costs;
  #queueCycles: number;
  #gapCycles = 0;
  #latencyCycles = 0;
  /** When this SM's share of the memory has served all of its requests; at first, it owes none. */
  served = 0;
  #load = 0;
  #loadTime = 0;

  constructor(costs: Costs, queueCycles: number) {
    this.#costs = costs;
    this.#queueCycles = queueCycles;
  }

  /** Continues at another clock. */
  retime(costs: Costs, queueCycles: number): void {
    this.#costs = costs;
    this.#queueCycles = queueCycles;
  }

  /**
   * Its banks are idle now and then, the more often the fewer requests are in flight: a round trip
   * of what one SM has in flight takes `gapCycles` longer than its bytes.
   */
  leaveGaps(gapCycles: number, latencyCycles: number): void {
    this.#gapCycles = gapCycles;
    this.#latencyCycles = latencyCycles;
  }

  /** How long a fence queues at a time, which goes to the memory without a request of its own. */
  fenceDelayAt(time: number): number {
    const { loadCycles, remoteQueueCycles, queueSteepness } = this.#costs;
    const load = Math.min(this.#load * exp((this.#loadTime - time) / loadCycles), FULL_LOAD);
    return (remoteQueueCycles * load) / (1 - queueSteepness * load);
  }

  /** Takes `service` cycles of a share where nothing queues: the load is of no interest. */
  take(time: number, service: number): void {
    this.served = Math.max(this.served, time - this.#costs.burstCycles) + service;
  }

  /** Takes `service` cycles of the share; returns how long a request queues at the present load. */
  serve(time: number, service: number): number {
    const { burstCycles, loadCycles, queueSteepness } = this.#costs;
    this.#load *= exp((this.#loadTime - time) / loadCycles);
    this.#loadTime = time;
    // An average over the time since the start, where that is shorter: all SMs begin together.
    const average = this.#load === 0 ? 0 : this.#load / (1 - exp(-time / loadCycles));
    const load = Math.min(average, FULL_LOAD);
    this.#load += service / loadCycles;
    const gap = this.#gapCycles;
    const inFlight = Math.max(this.served - time, 0) + service + this.#latencyCycles;
    const idle = gap === 0 ? 0 : (service * gap) / inFlight;
    this.served = Math.max(this.served, time - burstCycles) + service + idle;
    return (this.#queueCycles * load) / (1 - queueSteepness * load);
  }
}
