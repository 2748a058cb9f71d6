// The standard matmul with its K dimension split: several work items for one output tile.
//
// Shows: each work item has k steps of its own, and the epilogue adds its accumulator to a workspace
// under a lock. Only the last split writes the tile; the others free their accumulator by hand and
// leave the block early: the signal and the end of the scope are far apart.
// Unlike default, a work item is one of `splits` of a tile, in order. Both locks and workspace are
// those of one cluster: the model has no global memory that two clusters share.
//
//   warp, role, barrier counts, tear-down: as default. The epilogue adds
//
//   named barrier 4   all epilogue threads, around the lock that one of them polls and sets
import { integer, kernel } from 'poundlock';
import {
  AccumBarrier,
  EpilogueWarpContext,
  MmaWarpContext,
  TileSchedulerSplitK,
  TileWriter,
  WarpRoles,
} from 'poundlock/sm100';
import { CONSUMER_THREADS, DEFAULTS, rolesOf } from './shared/config.ts';
import { standardMatmul } from './shared/standard.ts';

export default kernel('splitk', { ...DEFAULTS, splits: integer(2, { min: 1 }) }, (config) => {
  const { kIters, tiles, clcStages, splits } = config;
  const parts = standardMatmul(config);
  const { cluster, inputPipeline, smem } = parts;
  const clusterSize = cluster.length;
  const work = { stages: clcStages, clusterSize, tiles, splits, kTiles: kIters };
  const splitK = new TileSchedulerSplitK(work);
  const { scheduler } = splitK;
  const tileWriter = new TileWriter('c_tiles');

  return rolesOf(cluster, (ctx) => {
    const loadInputTiles = parts.loads(ctx);
    const multiply = parts.products(ctx);
    const warps = new WarpRoles(ctx, () => {
      parts.initBarriers(ctx);
      scheduler.initBarriers(CONSUMER_THREADS);
    });

    const load = warps.mainLoad(function* () {
      const loadIter = splitK.workIterator();
      using producer = inputPipeline.producer();
      yield* loadIter.each(function* (current) {
        yield* scheduler.throttleSignal(ctx.isFirstCtaInCluster);
        const kEnd = current.kStart + current.numKTiles;
        for (let i = current.kStart; i < kEnd; i++) {
          using tiles = yield* producer.acquire();
          loadInputTiles(tiles);
        }
      });
      yield* producer.drain();
    });

    const schedulerWarp = warps.scheduler(function* () {
      const schedIter = splitK.schedulerIterator();
      yield* schedIter.each(function* () {
        yield* schedIter.signalAndAdvance();
      });
      yield* schedIter.drain();
    });

    const mma = warps.mma(function* () {
      const mmaIter = splitK.workIterator();
      const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
      using _tmemLifecycle = mmaCtx.enter();
      yield* mmaIter.each(function* (current) {
        if (!ctx.electOneCta) return;
        using outputStage = yield* mmaCtx.outputPipeline.producer();
        using consumer = inputPipeline.consumer();
        const kEnd = current.kStart + current.numKTiles;
        for (let i = current.kStart; i < kEnd; i++) {
          using inputTiles = yield* consumer.acquire();
          multiply(outputStage.tmem, inputTiles);
        }
      });
    });

    const epilogue = warps.epilogue(function* () {
      const published = yield* smem.types.Sync.wait();
      const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
      const epiIter = splitK.workIterator();
      using _signalsDealloc = epiCtx.enter();
      yield* epiIter.each(function* (current) {
        using output = yield* epiCtx.outputPipeline.consumer();
        const { pipeline, index, tmem, ctaGroup } = output.outputStage;
        if (yield* splitK.reduction(tmem, current)) {
          yield* tileWriter.write(output.outputStage);
          return;
        }
        AccumBarrier.arrive(pipeline, index, ctaGroup); // the block's end only steps
      });
    });

    return [load, ctx.isFirstCtaInCluster ? schedulerWarp : null, mma, epilogue];
  });
});
