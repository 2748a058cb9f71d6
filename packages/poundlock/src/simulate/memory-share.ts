// What a CTA gets of the memory that all SMs share, while the other CTAs behave like it.
import type { Launch } from '@poundlock/core/internal/program';
import type { Costs } from './model.ts';
import { exp } from './portable-math.ts';

/** The load at which queues stop growing: above it, the share of the bandwidth is the limit. */
const FULL_LOAD = 1;

/**
 * Only the CTAs of one cluster are simulated. The others of the launch are assumed to behave like
 * them with a random phase shift, so each of them loads the memory as much as these do, averaged
 * over time.
 */
export class MemoryShare {
  readonly #isHbm: boolean;
  /** CTAs that share the memory at the same time. */
  readonly #ctas: number;
  /** What a loaded byte takes of the share of one CTA. */
  #cyclesPerByte = 0;
  #costs: Costs;
  /** Dirty cache bytes that this CTA's share of the bandwidth must still write back. */
  #dirtyBytes: number;
  /** Bytes that this CTA can still store before those of all have filled the L2. */
  #roomBytes: number;
  /** When this CTA's share of the memory has served all of its requests. */
  #served = -Infinity;
  #load = 0;
  #loadTime = 0;

  constructor(costs: Costs, { source }: Launch, ctas: number) {
    this.#isHbm = source === 'hbm';
    this.#ctas = ctas;
    this.#costs = costs;
    this.retime(costs);
    this.#roomBytes = costs.l2Bytes / ctas;
    this.#dirtyBytes = this.#isHbm ? (costs.l2Bytes * costs.dirtyShare) / ctas : 0;
  }

  /** Continues at another clock. */
  retime(costs: Costs): void {
    const { hbmBytesPerCycle, l2BytesPerCycle, linkBytesPerCycle, sharingCyclesPerByte } = costs;
    this.#costs = costs;
    if (this.#isHbm) this.#cyclesPerByte = this.#ctas / hbmBytesPerCycle;
    else {
      // Already a few CTAs get less than their links would carry, long before the L2 is busy.
      const shared = 1 / linkBytesPerCycle + sharingCyclesPerByte * Math.sqrt(this.#ctas - 1);
      this.#cyclesPerByte = Math.max(this.#ctas / l2BytesPerCycle, shared);
    }
  }

  /** When a load of `bytes` issued at `time` completes; without other CTAs it would at `alone`. */
  load(time: number, bytes: number, alone: number): number {
    if (this.#ctas <= 1) return alone;
    const costs = this.#costs;
    const written = Math.min(bytes, this.#dirtyBytes);
    this.#dirtyBytes -= written;
    const latency = this.#isHbm ? costs.hbmLatencyCycles : costs.l2LatencyCycles;
    // What stores have pushed out of the L2 comes from HBM again.
    const perByte = this.#roomBytes < 0 ? this.#ctas / costs.hbmBytesPerCycle : this.#cyclesPerByte;
    const queued = this.#serve(time, (bytes + written) * Math.max(perByte, this.#cyclesPerByte));
    return Math.max(alone + queued, this.#served + latency);
  }

  /** When bytes that another CTA loads for this one, too, arrive; at `there` without others. */
  deliver(time: number, bytes: number, there: number): number {
    if (this.#ctas <= 1) return there;
    this.#serve(time, (bytes * this.#ctas) / this.#costs.l2BytesPerCycle);
    return Math.max(there, this.#served);
  }

  /** When a store of `bytes` issued at `time` has been taken. */
  store(time: number, bytes: number): number {
    if (this.#ctas <= 1) return time;
    const { storesBytesPerCycle, hbmBytesPerCycle, writeBackShare } = this.#costs;
    this.#roomBytes -= bytes;
    const written = this.#roomBytes < 0 ? bytes * writeBackShare : 0;
    const service = bytes / storesBytesPerCycle + written / hbmBytesPerCycle;
    this.#serve(time, service * this.#ctas);
    return this.#served;
  }

  /** Takes `service` cycles of the share; returns how long a request queues at the present load. */
  #serve(time: number, service: number): number {
    const { burstCycles, loadCycles, queueSteepness } = this.#costs;
    this.#load *= exp((this.#loadTime - time) / loadCycles);
    this.#loadTime = time;
    const load = Math.min(this.#load, FULL_LOAD);
    this.#load += service / loadCycles;
    this.#served = Math.max(this.#served, time - burstCycles) + service;
    const { hbmQueueCycles, l2QueueCycles } = this.#costs;
    const queue = this.#isHbm ? hbmQueueCycles : l2QueueCycles;
    return (queue * load) / (1 - queueSteepness * load);
  }
}
