// The public interface of `poundlock/sm100`: Modular's structured kernels for SM100.
/**
 * The handles, contexts and schedulers of Modular's structured kernels for SM100 (Blackwell), on top
 * of poundlock's rings and operations.
 *
 * @module poundlock/sm100
 */
import '../own-folder.ts';
export { AccumBarrier, LoadOrderBarrier, WarpGroupBarrier } from './barriers.ts';
export { clusterOf, KernelContext, leaderOf, type ClusterShape } from './cluster.ts';
export { TMEM_COLUMNS, WARP_SIZE, type OutputPipelineConfig } from './config.ts';
export { EarlierWorkIterator, WorkContext } from './earlier-iterator.ts';
export { InputConsumer, InputProducer, InputTilePipeline } from './input-pipeline.ts';
export type { InputPipelineOptions } from './input-pipeline.ts';
export { ConsumerTiles, InputConsumerStage } from './input-stages.ts';
export { InputProducerStage, ProducerTiles } from './input-stages.ts';
export { EpilogueKContext, EpilogueKStage, MmaKStage, PerKConsumerStage } from './k-stages.ts';
export { MmaOpSM100 } from './mma-op.ts';
export { AccumBarriers, OutputKPipeline, OutputTilePipeline } from './output-pipeline.ts';
export { EpilogueStage, MmaStage, OutputConsumer } from './output-stages.ts';
export { OutputProducer, OutputStage } from './output-stages.ts';
export { BlockScaledTilePayload, BlockwiseFP8TilePayload } from './payload.ts';
export { StandardTilePayload, type TilePayload } from './payload.ts';
export { SchedulerRings, TileScheduler, type SchedulerOptions } from './scheduler.ts';
export { SmemPipelineBundle } from './storage.ts';
export { tileArray, TileLoader, type Tile } from './tile.ts';
export { TileWriter } from './tile-writer.ts';
export { TmemAllocation, TmemDeallocBarrier, type TmemPublished } from './tmem.ts';
export { TmemStage, TmemStorage } from './tmem.ts';
export { WaitAndAdvanceContext, WaitAndAdvanceHandle } from './wait-and-advance.ts';
export { EpilogueWarpContext, EpilogueWarpScope } from './warp-contexts.ts';
export { MmaWarpContext, MmaWarpScope } from './warp-contexts.ts';
export { WarpRoles } from './warp-roles.ts';
export { TmemSync, WarpContextTypes, type WarpContextStorage } from './warp-types.ts';
export { EpilogueWarp, EpilogueWarp as EpilogueHandle } from './warps.ts';
export { MmaWarp, MmaWarp as MmaHandle } from './warps.ts';
export { SchedulerWorkIterator, WorkIterator } from './work-iterators.ts';
export { WorkInfo } from './work-info.ts';
export { EpiLoadPipeline } from './epi-load-pipeline.ts';
export { GroupedClcScheduler, GroupedClcSchedulerIterator } from './grouped-scheduler.ts';
export { GroupedTileScheduler, GroupedWorkInfo } from './grouped-scheduler.ts';
export { GroupedWorkIterator, type DrainPhase } from './grouped-scheduler.ts';
export { SchedulerWorkIteratorSplitK, TileSchedulerSplitK } from './splitk.ts';
export { WorkInfoSplitK, WorkIteratorSplitK } from './splitk.ts';
