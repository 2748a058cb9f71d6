// Model of the copy engine (TMA) of a CTA and of the memory that it shares with other CTAs.
import type { Launch } from '@poundlock/core/internal/program';
import type { Costs } from './model.ts';
import { exp, ln } from './portable-math.ts';
import { CARDS, Deck, type Random } from './random.ts';

/** Bytes of a copy that are fetched together, with a single latency. */
const BLOCK_BYTES = 1024;
/** The mean of the Gumbel distribution, which the latest of many lines follows: Euler's γ. */
const EULER = 0.5772156649;
/** By card of a deck: how much later than its mean the latest line is, in units of the spread. */
const GUMBEL = Float64Array.from({ length: CARDS }, (_, card) => {
  return -ln(-ln((card + 0.5) / CARDS)) - EULER;
});
/** The load at which queues stop growing: above it, the bandwidth share of the CTA is the limit. */
const FULL_LOAD = 1;

/**
 * Computes when copies complete. Only the CTAs of one cluster are simulated, each with an engine of
 * its own. The others of the launch are assumed to behave like them with a random phase shift, so
 * each of them loads the memory as much as these do, averaged over time.
 */
export class CopyEngine {
  readonly #costs: Costs;
  readonly #deck: Deck;
  readonly #latencyCycles: number;
  readonly #spreadCycles: number;
  readonly #queueCycles: number;
  /** The extra variation of the latency of a copy, beyond what the spread of its lines explains. */
  readonly #variation: number;
  /** This CTA's share of the memory bandwidth; infinite if it is the only CTA. */
  readonly #shareBytesPerCycle: number;
  /** Dirty cache bytes that this CTA's share of the bandwidth must still write back. */
  #dirtyBytes: number;
  /** When the link into the CTA is free again. */
  #linkFree = 0;
  /** When this CTA's share of the memory has served all of its requests. */
  #shareServed = -Infinity;
  /** The size of the last copy and the result of `#measureLines` for it: most copies are alike. */
  #lastBytes = -1;
  #lastLatest = 0;
  #load = 0;
  #loadTime = 0;

  constructor(costs: Costs, launch: Launch, random: Random) {
    this.#costs = costs;
    this.#deck = new Deck(random);
    const isHbm = launch.source === 'hbm';
    this.#latencyCycles = latencyOf(costs, launch);
    this.#spreadCycles = isHbm ? costs.hbmSpreadCycles : 0;
    this.#variation = launch.tiled && isHbm ? costs.tiledSpreadFactor : 1;
    this.#queueCycles = isHbm ? costs.hbmQueueCycles : costs.l2QueueCycles;
    const total = isHbm ? costs.hbmBytesPerCycle : costs.l2BytesPerCycle;
    const gain = launch.tiled ? costs.tiledBandwidthFactor : 1;
    this.#shareBytesPerCycle = launch.ctas > 1 ? (total * gain) / launch.ctas : Infinity;
    this.#dirtyBytes = isHbm ? costs.dirtyBytes / launch.ctas : 0;
  }

  /** Writes to `completion[0]` when a copy of `bytes` issued at `now[0]` completes. */
  issue(now: Float64Array, bytes: number, completion: Float64Array): void {
    const time = now[0]!;
    const start = Math.max(time, this.#linkFree);
    const transfer = bytes / this.#costs.linkBytesPerCycle;
    const least = start + transfer;
    this.#linkFree = least;
    const last = this.#spreadCycles === 0 ? transfer : this.#lastLine(bytes);
    const alone = Math.max(least, start + this.#latencyCycles + last);
    const isAlone = this.#shareBytesPerCycle === Infinity;
    completion[0] = isAlone ? alone : this.#shared(time, bytes, alone);
  }

  /** Writes when a store of `bytes` issued at `now[0]` has read its source. */
  read(now: Float64Array, bytes: number, completion: Float64Array): void {
    const start = Math.max(now[0]!, this.#linkFree);
    completion[0] = start + bytes / this.#costs.linkBytesPerCycle;
  }

  /**
   * The time from the mean arrival of the first line to the arrival of the last line. Lines are
   * issued one after another, each with an exponentially distributed extra latency, so the latest
   * of them follows a Gumbel distribution.
   */
  #lastLine(bytes: number): number {
    const spread = this.#spreadCycles;
    if (bytes !== this.#lastBytes) this.#measureLines(bytes, spread);
    return spread * (this.#lastLatest + this.#variation * GUMBEL[this.#deck.next()]!);
  }

  /** The logarithm of the expected number of lines, each weighted by how late it is issued. */
  #measureLines(bytes: number, spread: number): void {
    const blocks = Math.max(bytes / BLOCK_BYTES, 0.5);
    const step = BLOCK_BYTES / this.#costs.linkBytesPerCycle / spread;
    this.#lastBytes = bytes;
    this.#lastLatest = ln((exp(blocks * step) - 1) / (exp(step) - 1));
  }

  /** When a copy completes under the load of the other CTAs; without them it would at `alone`. */
  #shared(time: number, bytes: number, alone: number): number {
    const { burstCycles, loadCycles, queueSteepness } = this.#costs;
    const written = Math.min(bytes, this.#dirtyBytes);
    this.#dirtyBytes -= written;
    const service = (bytes + written) / this.#shareBytesPerCycle;
    this.#load *= exp((this.#loadTime - time) / loadCycles);
    this.#loadTime = time;
    const load = Math.min(this.#load, FULL_LOAD);
    this.#load += service / loadCycles;
    this.#shareServed = Math.max(this.#shareServed, time - burstCycles) + service;
    const queued = (this.#queueCycles * load) / (1 - queueSteepness * load);
    return Math.max(alone + queued, this.#shareServed + this.#latencyCycles);
  }
}

function latencyOf(costs: Costs, { source, tiled }: Launch): number {
  if (source === 'hbm') return tiled ? costs.tiledHbmLatencyCycles : costs.hbmLatencyCycles;
  return tiled ? costs.tiledL2LatencyCycles : costs.l2LatencyCycles;
}
