// Model of the copy engine (TMA) of an SM: its link, its stores, and the latencies of its copies.
import type { Launch } from '@poundlock/core/internal/program';
import { FlightClass } from './flight-class.ts';
import { MemoryShare } from './memory-share.ts';
import type { Costs } from './model.ts';
import { exp, ln } from './portable-math.ts';
import { CARDS, Deck, type Random } from './random.ts';
import type { ReadSharing, Sharing } from './sharing.ts';

// V8 folds the constants of a module into its code, and loads those of others at every use.
const { tensor: TENSOR, threads: THREADS } = FlightClass;

/** Bytes of a copy that are fetched together, with a single latency. */
const BLOCK_BYTES = 1024;
/** The mean of the Gumbel distribution, which the latest of many lines follows: Euler's γ. */
const EULER = 0.5772156649;
/** By card of a deck: how much later than its mean the latest line is, in units of the spread. */
const GUMBEL = Float64Array.from({ length: CARDS }, (_, card) => {
  return -ln(-ln((card + 0.5) / CARDS)) - EULER;
});

/** Computes when the copies of an SM complete. */
export class CopyEngine {
  readonly #deck: Deck;
  readonly #share: MemoryShare;
  #isAlone: boolean;
  #costs: Costs;
  /** The extra variation of the latency of a copy, beyond what the spread of its lines explains. */
  #variation = 1;
  /** When the engine and the link into the SM are free again: loads and stores share them. */
  #linkFree = 0;
  /** When all copies into the SM so far have arrived. */
  arrivedAt = 0;
  /** The size of the last copy and the result of `#measureLines` for it: most copies are alike. */
  #lastBytes = -1;
  #lastLatest = 0;

  constructor(costs: Costs, launch: Launch, sharing: ReadSharing, random: Random) {
    this.#deck = new Deck(random);
    this.#isAlone = sharing.sms <= 1;
    this.#share = new MemoryShare(costs, launch, sharing);
    this.#costs = costs;
    this.retime(costs);
  }

  /** Continues as the engine of a kernel with tensor-core work, at another clock. */
  heat(costs: Costs): void {
    this.#variation = costs.mmaSpreadFactor;
    this.retime(costs);
  }

  /** Continues at another clock. */
  retime(costs: Costs): void {
    this.#costs = costs;
    this.#lastBytes = -1;
    this.#share.retime(costs);
  }

  /** Other SMs share the memory from now on. */
  share(sharing: Sharing): void {
    this.#isAlone = sharing.sms <= 1;
    this.#share.share(sharing);
  }

  /**
   * Writes when a copy of `bytes` issued at `time` completes in an SM: this one, or another.
   * Threads ask for its bytes while they are `issuing`.
   */
  copy(
    time: number,
    bytes: number,
    of: FlightClass,
    into: CopyEngine,
    completion: Float64Array,
    issuing = 0,
  ): void {
    this.#share.next();
    const start = Math.max(time, into.#linkFree);
    const transfer = bytes / this.#costs.linkBytesPerCycle;
    const least = start + transfer;
    into.#linkFree = least;
    const lines = this.#share.isFromHbm ? this.#lastLine(bytes) : transfer;
    const last = issuing > 0 ? Math.max(lines - transfer, 0) + issuing : lines;
    const alone = Math.max(least, start + this.#latency(of) + last);
    completion[0] = this.#isAlone ? alone : this.#share.load(time, bytes, alone);
    if (!this.#isAlone) completion[0] = into.#share.deliver(time, bytes, completion[0]!);
    into.arrivedAt = Math.max(into.arrivedAt, completion[0]);
  }

  /** How long a fence of this SM queues in the memory at a time. */
  fenceDelayAt(time: number): number {
    return this.#share.fenceDelayAt(time);
  }

  /** Multicast copies bring what the CTAs of a cluster of `ctas` share. */
  shareWindow(ctas: number): void {
    this.#share.shareWindow(ctas);
  }

  /** When a multicast copy that completes in another SM at `there` completes in this one. */
  receive(time: number, bytes: number, there: number): number {
    const start = Math.max(time, this.#linkFree);
    this.#linkFree = start + bytes / this.#costs.linkBytesPerCycle;
    const end = this.#share.deliver(time, bytes, Math.max(there, this.#linkFree));
    this.arrivedAt = Math.max(this.arrivedAt, end);
    return end;
  }

  /** When a copy of `bytes` issued at `time` is complete in the memory of another SM. */
  send(time: number, bytes: number, into: CopyEngine): number {
    const { remoteCopyBytesPerCycle, remoteCopyCycles } = this.#costs;
    const start = Math.max(time, this.#linkFree, into.#linkFree);
    this.#linkFree = into.#linkFree = start + bytes / remoteCopyBytesPerCycle;
    const end = this.#linkFree + remoteCopyCycles;
    into.arrivedAt = Math.max(into.arrivedAt, end);
    return end;
  }

  /** When a store of `bytes` issued at `time` has read its source. */
  store(time: number, bytes: number): number {
    const { storeCycles, storeBytesPerCycle } = this.#costs;
    const start = Math.max(time, this.#linkFree);
    this.#linkFree = start + bytes / storeBytesPerCycle;
    return Math.max(this.#linkFree, this.#share.store(time, bytes)) + storeCycles;
  }

  #latency(of: FlightClass): number {
    const costs = this.#costs;
    const isTensor = of === TENSOR;
    const threads = of === THREADS ? costs.threadLatencyCycles : 0;
    if (this.#share.isFromHbm)
      return costs.hbmLatencyCycles + threads + (isTensor ? costs.tensorHbmCycles : 0);
    return costs.l2LatencyCycles + threads + (isTensor ? costs.tensorL2Cycles : 0);
  }

  /**
   * The time from the mean arrival of the first line to the arrival of the last line. Lines are
   * issued one after another, each with an exponentially distributed extra latency, so the latest
   * of them follows a Gumbel distribution.
   */
  #lastLine(bytes: number): number {
    const spread = this.#costs.hbmSpreadCycles;
    if (spread === 0) return bytes / this.#costs.linkBytesPerCycle;
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
}
