// The shared memory that every kernel with accumulators in tensor memory has.
import { closeMembers } from '@poundlock/core/dialect';
import type { OutputPipelineConfig } from './config.ts';
import { AccumBarriers } from './output-pipeline.ts';
import { TmemDeallocBarrier, TmemStorage } from './tmem.ts';
import { WarpContextTypes, type WarpContextStorage } from './warp-types.ts';

/**
 * The barriers and words in shared memory of a kernel with accumulators in tensor memory.
 *
 * @example
 * const opc = { numStages: 1, stageStrideCols: 512, ctaGroup: 1 } as const;
 * const shared = new SmemPipelineBundle(opc);
 * const all = new WarpRoles(ctx, () => shared.initBarriers());
 * return [
 *   all.mma(function* () {
 *     const context = yield* MmaWarpContext.create(shared, ctx.mmaCompleteMask);
 *     using _scope = context.enter();
 *   }),
 *   all.epilogue(function* () {
 *     const published = yield* shared.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(shared, ctx.mmaCompleteMask, published);
 *     using _scope = context.enter();
 *   }),
 * ];
 */
export class SmemPipelineBundle implements WarpContextStorage {
  /** Types and sizes that both contexts share. */
  readonly types: WarpContextTypes;
  /** The tensor memory and its address. */
  readonly tmemAddr: TmemStorage;
  /** The barriers of the accumulators. */
  readonly accumBarriers: AccumBarriers;
  /** The barrier that ends the lifetime of tensor memory. */
  readonly tmemDealloc: TmemDeallocBarrier;

  /**
   * Declares it; `extraColumns` are columns of tensor memory behind the accumulators, for scale
   * factors.
   */
  constructor(opc: OutputPipelineConfig, extraColumns: readonly number[] = []) {
    this.types = new WarpContextTypes(opc);
    this.tmemAddr = new TmemStorage('tmem', opc, extraColumns);
    this.accumBarriers = new AccumBarriers('accum', opc);
    this.tmemDealloc = new TmemDeallocBarrier('tmem_dealloc', opc.ctaGroup);
  }

  /** Initializes the barriers of one CTA, by one thread (T1). */
  initBarriers(): void {
    const { epilogueThreads } = this.types;
    this.accumBarriers.initBarriers(1, epilogueThreads);
    this.tmemDealloc.initBarrier(epilogueThreads);
  }
}
closeMembers(SmemPipelineBundle.prototype);
