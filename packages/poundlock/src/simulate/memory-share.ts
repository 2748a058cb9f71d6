// What a CTA gets of the memory that all SMs share, while the other CTAs behave like it.
import type { Launch } from '@poundlock/core/internal/program';
import { MemoryQueue } from './memory-queue.ts';
import type { Costs } from './model.ts';
import type { ReadSharing, Sharing } from './sharing.ts';

/** What a CTA reads again and again whose source is the L2, in all measured programs. */
const WINDOW_BYTES = 1 << 18;
/** The share of the L2 that such data can have. */
const USABLE_SHARE = 1;
/** Data that is read again and again and hardly fits misses soon: so fast as it outgrows the L2. */
const MISS_STEEPNESS = 2;
/** What is stored stays until it has been written back: it pushes out more than its bytes. */
const STORED_WEIGHT = 1.75;

/**
 * Only the CTAs of one cluster are simulated. The others of the launch are assumed to behave like
 * them with a random phase shift, so each of them loads the memory as much as these do, averaged
 * over time.
 */
export class MemoryShare {
  readonly #isCold: boolean;
  /** SMs that share the memory at the same time. */
  #sharing: Sharing;
  readonly #reads: MemoryQueue;
  /** The pipe of this SM's group, through which all goes that it receives. */
  readonly #pipe: MemoryQueue;
  readonly #writes: MemoryQueue;
  readonly #hbm: MemoryQueue;
  /** What a byte takes of the share of one CTA. */
  #l2CyclesPerByte = 0;
  #pipeCyclesPerByte = 0;
  #hbmCyclesPerByte = 0;
  #storeCyclesPerByte = 0;
  /** What the L2 and the pipe are asked for of a byte: neighbors that copy the same ask once. */
  readonly #requested: number;
  #costs: Costs;
  /** Dirty cache bytes that this CTA's share of the bandwidth must still write back. */
  #dirtyBytes: number;
  #loadedBytes = 0;
  #storedBytes = 0;
  /** What this CTA reads again and again. */
  #windowBytes = WINDOW_BYTES;
  /** The share of the copies that come from HBM now. */
  #missShare: number;
  /** Misses that are due. */
  #missed = 0;
  /** Whether the copy that is made comes from HBM. */
  isFromHbm: boolean;

  constructor(costs: Costs, { source }: Launch, sharing: ReadSharing) {
    this.#requested = sharing.requested;
    this.#isCold = source === 'hbm';
    this.isFromHbm = this.#isCold;
    this.#missShare = this.#isCold ? 1 : 0;
    this.#sharing = sharing;
    this.#costs = costs;
    this.#reads = new MemoryQueue(costs, costs.l2QueueCycles);
    this.#pipe = new MemoryQueue(costs, 0);
    this.#writes = new MemoryQueue(costs, 0);
    this.#hbm = new MemoryQueue(costs, costs.hbmQueueCycles);
    this.retime(costs);
    this.#dirtyBytes = this.#isCold ? (costs.l2Bytes * costs.dirtyShare) / sharing.sms : 0;
  }

  /** Other SMs share the memory from now on. */
  share(sharing: Sharing): void {
    this.#dirtyBytes *= this.#sharing.sms / sharing.sms;
    this.#sharing = sharing;
    this.retime(this.#costs);
  }

  /** Nothing queues where there is one SM. */
  get #isAlone(): boolean {
    return this.#sharing.sms <= 1;
  }

  /** Continues at another clock. */
  retime(costs: Costs): void {
    const { sms, inGroup } = this.#sharing;
    this.#costs = costs;
    this.#reads.retime(costs, costs.l2QueueCycles);
    this.#pipe.retime(costs, 0);
    this.#writes.retime(costs, 0);
    this.#hbm.retime(costs, costs.hbmQueueCycles);
    this.#reads.leaveGaps(costs.l2GapCycles, costs.l2LatencyCycles);
    this.#hbm.leaveGaps(costs.hbmGapCycles, costs.hbmLatencyCycles);
    this.#hbmCyclesPerByte = sms / costs.hbmBytesPerCycle;
    this.#storeCyclesPerByte = sms / costs.storesBytesPerCycle;
    this.#l2CyclesPerByte = (sms * this.#requested) / costs.l2BytesPerCycle;
    this.#pipeCyclesPerByte = (inGroup * this.#requested) / costs.groupBytesPerCycle;
  }

  /** Decides where the next copy comes from: what is evicted was copied together. */
  next(): void {
    if (this.#missShare === 0 || this.#missShare === 1) return;
    this.#missed += this.#missShare;
    this.isFromHbm = this.#missed >= 1;
    if (this.isFromHbm) this.#missed -= 1;
  }

  /** When `bytes` that are due at `due` have come through the pipe to this SM. */
  deliver(time: number, bytes: number, due: number): number {
    if (this.#isAlone) return due;
    this.#pipe.take(time, bytes * this.#pipeCyclesPerByte);
    return Math.max(due, this.#pipe.served + this.#costs.l2LatencyCycles);
  }

  /** When a load of `bytes` issued at `time` completes; without other CTAs it would at `alone`. */
  load(time: number, bytes: number, alone: number): number {
    if (this.#isAlone) return alone;
    const { hbmLatencyCycles, l2LatencyCycles } = this.#costs;
    this.#loadedBytes += bytes;
    if (!this.isFromHbm) {
      const queued = this.#reads.serve(time, bytes * this.#l2CyclesPerByte);
      return Math.max(alone + queued, this.#reads.served + l2LatencyCycles);
    }
    const written = Math.min(bytes, this.#dirtyBytes);
    this.#dirtyBytes -= written;
    const queued = this.#hbm.serve(time, (bytes + written) * this.#hbmCyclesPerByte);
    return Math.max(alone + queued, this.#hbm.served + hbmLatencyCycles);
  }

  /** How long a fence queues behind the requests of other SMs at a time. */
  fenceDelayAt(time: number): number {
    if (this.#isAlone) return 0;
    return (this.isFromHbm ? this.#hbm : this.#reads).fenceDelayAt(time);
  }

  /** CTAs of a cluster of `ctas` read one more window, which they share. */
  shareWindow(ctas: number): void {
    this.#windowBytes = WINDOW_BYTES * (1 + 1 / ctas);
    this.#follow();
  }

  /** When a store of `bytes` issued at `time` has been taken. */
  store(time: number, bytes: number): number {
    if (this.#isAlone) return time;
    this.#storedBytes += bytes;
    this.#writes.take(time, bytes * this.#storeCyclesPerByte);
    this.#follow();
    const { l2Bytes, writeBackShare } = this.#costs;
    const isFull = this.#missShare > 0 || this.#storedBytes * this.#sharing.sms > l2Bytes;
    if (!isFull) return this.#writes.served;
    this.#hbm.serve(time, bytes * writeBackShare * this.#hbmCyclesPerByte);
    return Math.max(this.#writes.served, this.#hbm.served);
  }

  /** What is read again and again, and what is stored meanwhile, share the L2. */
  #follow(): void {
    if (this.#isCold || this.#isAlone) return;
    const stored = (STORED_WEIGHT * this.#storedBytes) / Math.max(this.#loadedBytes, 1);
    const bytes = this.#windowBytes * (1 + stored) * this.#sharing.sms;
    const outgrown = bytes / (this.#costs.l2Bytes * USABLE_SHARE) - 1;
    this.#missShare = Math.min(Math.max(MISS_STEEPNESS * outgrown, 0), 1);
    this.isFromHbm = this.#missShare === 1;
  }
}
