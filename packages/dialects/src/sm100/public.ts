// The public interface of `@poundlock/dialects/sm100`: Modular's structured kernels for SM100.
/**
 * The handles, contexts and schedulers of Modular's structured kernels for SM100 (Blackwell), on
 * top
 * of poundlock's rings and operations. Examples are the callback of a kernel, with these
 * declarations:
 *
 * ```ts
 * const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
 * const smem = new SmemPipelineBundle({ numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
 * const payload = new StandardTilePayload({ a: [128, 64], b: [128, 64], stages: 2 });
 * const input = new InputTilePipeline('input', payload, { stages: 2 });
 * const loader = new TileLoader(ctx.aMulticastMask);
 * const mmaOp = new MmaOpSM100(ctx);
 * const writer = new TileWriter('c');
 * const acc = buffer('acc');
 * const warps = new WarpRoles(ctx, () => {
 *   smem.initBarriers();
 *   input.initBarriers(1, 1);
 * });
 * const load = warps.mainLoad(function* () {
 *   using tiles = yield* input.producer().acquire();
 *   tiles.expectBytes(payload.bytes);
 *   for (const tile of payload.getTile(tiles.stage())) loader.load(tile, tiles.barrier());
 * });
 * const multiply = warps.mma(function* () {
 *   using tiles = yield* input.consumer().acquire();
 *   mmaOp.mma(payload.getTile(tiles.stage()), acc);
 *   mmaOp.commit(tiles.mbar());
 * });
 * const mma = warps.mma(function* () {
 *   const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 *   using _scope = context.enter();
 *   using _accumulator = yield* context.outputPipeline.producer();
 * });
 * const epilogue = warps.epilogue(function* () {
 *   const published = yield* smem.types.Sync.wait();
 *   const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *   using _scope = context.enter();
 *   using accumulator = yield* context.outputPipeline.consumer();
 *   yield* writer.write(accumulator.outputStage);
 * });
 * const epilogueThread = warps.epilogue(function* () {});
 * ```
 *
 * @module @poundlock/dialects/sm100
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
export type { BlockScaledShapes, BlockwiseFP8Shapes } from './payload.ts';
export type { StandardShapes, TileShape } from './payload.ts';
export { SchedulerRings, TileScheduler, type SchedulerOptions } from './scheduler.ts';
export { SmemPipelineBundle } from './storage.ts';
export { tileArray, TileLoader, type Tile, type TileOptions } from './tile.ts';
export { TileWriter, type FragmentBody } from './tile-writer.ts';
export { TmemAllocation, TmemDeallocBarrier, type TmemPublished } from './tmem.ts';
export { TmemStage, TmemStorage } from './tmem.ts';
export { WaitAndAdvanceContext, WaitAndAdvanceHandle } from './wait-and-advance.ts';
export { EpilogueWarpContext, EpilogueWarpScope } from './warp-contexts.ts';
export { MmaWarpContext, MmaWarpScope } from './warp-contexts.ts';
export { WarpRoles, type WarpBody } from './warp-roles.ts';
export { TmemSync, WarpContextTypes, type WarpContextStorage } from './warp-types.ts';
export { EpilogueWarp, EpilogueWarp as EpilogueHandle } from './warps.ts';
export { MmaWarp, MmaWarp as MmaHandle } from './warps.ts';
export { SchedulerWorkIterator, WorkIterator, type TileBody } from './work-iterators.ts';
export { WorkInfo } from './work-info.ts';
export { EpiLoadPipeline } from './epi-load-pipeline.ts';
export { GroupedClcScheduler, GroupedClcSchedulerIterator } from './grouped-scheduler.ts';
export { GroupedTileScheduler, GroupedWorkInfo } from './grouped-scheduler.ts';
export type { GroupedBody, GroupedClcOptions, GroupedOptions } from './grouped-scheduler.ts';
export { GroupedWorkIterator, type DrainPhase } from './grouped-scheduler.ts';
export { SchedulerWorkIteratorSplitK, TileSchedulerSplitK } from './splitk.ts';
export { WorkInfoSplitK, WorkIteratorSplitK } from './splitk.ts';
export type { SplitBody, SplitKOptions } from './splitk.ts';
