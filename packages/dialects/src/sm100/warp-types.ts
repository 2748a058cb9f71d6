// The parts of the MMA and epilogue contexts, and their shared named barrier.
import type { Op } from '@poundlock/core';
import { trackGenerators, closeMembers, requireOptions } from '@poundlock/core/dialect';
import { WarpGroupBarrier } from './barriers.ts';
import { CONFIG, WARP_SIZE, type OutputPipelineConfig } from './config.ts';
import { OutputTilePipeline, type AccumBarriers } from './output-pipeline.ts';
import { TmemAllocation, TmemDeallocBarrier, TmemPublished, type TmemStorage } from './tmem.ts';

/** The named barrier of the MMA and the epilogue warps. */
const SYNC_ID = 1;

/**
 * Passes the address of the tensor memory from the MMA warp to the epilogue warps.
 *
 * @example
 * const sync = new TmemSync(160);
 * return [
 *   warps.mma(function* () {
 *     sync.arrive();
 *   }),
 *   warps.epilogue(function* () {
 *     yield* sync.wait();
 *   }),
 * ];
 */
export class TmemSync {
  readonly #barrier: WarpGroupBarrier;

  /** Creates a sync of `threads` threads. */
  constructor(threads: number) {
    this.#barrier = new WarpGroupBarrier(threads, SYNC_ID);
  }

  /** For the MMA warp: the address is in shared memory. It does not block. */
  arrive(): void {
    this.#barrier.arrive();
  }

  /**
   * For the epilogue warps: blocks until the address is published, and returns evidence of it
   * (T2).
   */
  *wait(): Generator<Op, TmemPublished, number> {
    yield* this.#barrier.wait();
    return new TmemPublished();
  }
}
trackGenerators(TmemSync);

/**
 * The types and sizes that both contexts share: in Mojo their parameters and comptime members.
 *
 * @example
 * const types = new WarpContextTypes({ numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
 * return [
 *   warps.mma(function* () {
 *     types.Sync.arrive();
 *   }),
 *   warps.epilogue(function* () {
 *     yield* types.Sync.wait();
 *   }),
 * ];
 */
export class WarpContextTypes {
  /** Number and size of the accumulators. */
  readonly opc: OutputPipelineConfig;
  /** Threads of the MMA warp. */
  readonly mmaThreads: number;
  /** Threads of the epilogue warps. */
  readonly epilogueThreads: number;
  /** Where the MMA and the epilogue warps meet. */
  readonly Sync: TmemSync;
  /** The type of the tensor memory. */
  readonly Tmem = TmemAllocation;
  /** The type of the output pipeline. */
  readonly Pipeline = OutputTilePipeline;
  /** The type of the barrier that ends the lifetime of tensor memory. */
  readonly Dealloc = TmemDeallocBarrier;

  /** Creates the types for these sizes. */
  constructor(opc: OutputPipelineConfig, mmaThreads = WARP_SIZE, epilogueThreads = 4 * WARP_SIZE) {
    requireOptions('WarpContextTypes', CONFIG, opc);
    this.opc = opc;
    this.mmaThreads = mmaThreads;
    this.epilogueThreads = epilogueThreads;
    this.Sync = new TmemSync(mmaThreads + epilogueThreads);
  }
}
closeMembers(WarpContextTypes.prototype);

/** The shared memory of a CTA that both contexts need. */
export interface WarpContextStorage {
  /** Types and sizes that both contexts share. */
  readonly types: WarpContextTypes;
  /** The tensor memory and its address. */
  readonly tmemAddr: TmemStorage;
  /** The barriers of the accumulators. */
  readonly accumBarriers: AccumBarriers;
  /** The barrier that ends the lifetime of tensor memory. */
  readonly tmemDealloc: TmemDeallocBarrier;
}
