// The shared memory that every kernel with accumulators in tensor memory has.
import type { OutputPipelineConfig } from './config.ts';
import { AccumBarriers } from './output-pipeline.ts';
import { TmemDeallocBarrier, TmemStorage } from './tmem.ts';
import { WarpContextTypes, type WarpContextStorage } from './warp-types.ts';

/** Barriers and words in shared memory, as `SmemPipelineBundle` lays them out in every CTA. */
export class SmemPipelineBundle implements WarpContextStorage {
  readonly types: WarpContextTypes;
  readonly tmemAddr: TmemStorage;
  readonly accumBarriers: AccumBarriers;
  readonly tmemDealloc: TmemDeallocBarrier;

  /** `extraColumns` are columns of tensor memory behind the accumulators, for scale factors. */
  constructor(opc: OutputPipelineConfig, extraColumns: readonly number[] = []) {
    this.types = new WarpContextTypes(opc);
    this.tmemAddr = new TmemStorage('tmem', opc, extraColumns);
    this.accumBarriers = new AccumBarriers('accum', opc);
    this.tmemDealloc = new TmemDeallocBarrier('tmem_dealloc', opc.ctaGroup);
  }

  /** Initialises the barriers of one CTA, by one thread (T1). */
  initBarriers(): void {
    const { epilogueThreads } = this.types;
    this.accumBarriers.initBarriers(1, epilogueThreads);
    this.tmemDealloc.initBarrier(epilogueThreads);
  }
}
