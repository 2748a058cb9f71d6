// The copy engine of a CTA and the memory behind it, which it shares with every other CTA.
import type { Launch } from '@poundlock/core/internal/program';
import type { Costs } from './model.ts';
import { exp, ln } from './portable-math.ts';
import { CARDS, Deck, type Random } from './random.ts';

/** Lines of a copy that are fetched together: their latencies are one. */
const BLOCK_BYTES = 1024;
/** The mean of the Gumbel distribution, which the latest of many lines follows. */
const EULER = 0.5772156649;
/** By card of a deck: how much later the latest line is than its mean, in spreads. */
const GUMBEL = Float64Array.from({ length: CARDS }, (_, card) => {
  return -ln(-ln((card + 0.5) / CARDS)) - EULER;
});
/** The load at which queues stop to grow: the share of the CTA limits it from there on. */
const FULL_LOAD = 1;

/**
 * Says when copies land. One CTA is simulated; the others are its equals, out of step with it, so
 * that what they do to the memory is known from what this one does: they load it as much as this
 * one asks for, averaged over time.
 */
export class CopyEngine {
  readonly #costs: Costs;
  readonly #deck: Deck;
  readonly #latencyCycles: number;
  readonly #spreadCycles: number;
  readonly #queueCycles: number;
  /** How much more the latency of one copy varies than what its lines explain. */
  readonly #variation: number;
  /** This CTA's share of what the memory gives to all of them; infinite when it is alone. */
  readonly #shareBytesPerCycle: number;
  /** What is left to be written back, of this CTA's share. */
  #dirtyBytes: number;
  /** When the link into the CTA is free again. */
  #linkFree = 0;
  /** When this CTA's share of the memory has served what it asked for. */
  #shareServed = -Infinity;
  /** The size looked at last, and what {@link lookAt} found: most copies are alike. */
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

  /** Writes to `landing[0]` when a copy of `bytes` lands that is issued at `now[0]`. */
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

  /**
   * How long after the first line's mean the last line is there. Lines are issued one after the
   * other and each takes an exponentially distributed time longer than the least: the latest of
   * them follows a Gumbel distribution.
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

  /** What the other CTAs add to the time of a copy that would land at `alone` without them. */
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
