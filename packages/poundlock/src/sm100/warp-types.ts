// What the contexts of the MMA and of the epilogue warps are made of, and how the two meet.
import type { Op } from '@poundlock/core/internal/op';
import { WarpGroupBarrier } from './barriers.ts';
import { WARP_SIZE, type OutputPipelineConfig } from './config.ts';
import { OutputTilePipeline, type AccumBarriers } from './output-pipeline.ts';
import { TmemAllocation, TmemDeallocBarrier, TmemPublished, type TmemStorage } from './tmem.ts';

/** The named barrier of the MMA and the epilogue warps. */
const SYNC_ID = 1;

/** Hands the address of the tensor memory from the MMA warp to the epilogue warps. */
export class TmemSync {
  readonly #barrier: WarpGroupBarrier;

  constructor(threads: number) {
    this.#barrier = new WarpGroupBarrier(threads, SYNC_ID);
  }

  /** For the MMA warp: the address is in shared memory; goes on at once. */
  arrive(): void {
    this.#barrier.arrive();
  }

  /** For the epilogue warps: waits for the address, and answers that it is there (T2). */
  *wait(): Generator<Op, TmemPublished, number> {
    yield* this.#barrier.wait();
    return new TmemPublished();
  }
}

/** The types and sizes that both contexts share: in Mojo their parameters and comptime members. */
export class WarpContextTypes {
  readonly opc: OutputPipelineConfig;
  readonly mmaThreads: number;
  readonly epilogueThreads: number;
  readonly Sync: TmemSync;
  readonly Tmem = TmemAllocation;
  readonly Pipeline = OutputTilePipeline;
  readonly Dealloc = TmemDeallocBarrier;

  constructor(opc: OutputPipelineConfig, mmaThreads = WARP_SIZE, epilogueThreads = 4 * WARP_SIZE) {
    this.opc = opc;
    this.mmaThreads = mmaThreads;
    this.epilogueThreads = epilogueThreads;
    this.Sync = new TmemSync(mmaThreads + epilogueThreads);
  }
}

/** The shared memory of a CTA that both contexts need. */
export interface WarpContextStorage {
  readonly types: WarpContextTypes;
  readonly tmemAddr: TmemStorage;
  readonly accumBarriers: AccumBarriers;
  readonly tmemDealloc: TmemDeallocBarrier;
}
