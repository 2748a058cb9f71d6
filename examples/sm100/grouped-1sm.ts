// A grouped block-scaled matmul on single CTAs: many small problems in one launch.
//
// Shows: no scheduler and no CLC ring: every warp counts the tiles by itself, so that nothing but
// the two rings of the data keeps them together. Tensor maps change from group to group; a named
// barrier hands them from the MMA warp, which makes them, to the load warp. With `lookAhead` both
// ends of the input ring ask for the next stage while they still work on this one, and wait only if
// the answer was no.
// Unlike block-scaled, the scheduler warp returns immediately: an exit barrier would hang here.
//
//   warp  role       waits for                          signals
//   0–3   epilogue   named barrier 1; accum.full[a]     accum.empty[a], every thread; tmem_dealloc
//   4     scheduler  nothing                            nothing
//   5     load       named barrier 3; input.empty[s]    input.full[s], by the bytes of A, B and
//                                                       their scale factors
//   6     mma        named barrier 3; accum.empty[a],   input.empty[s] and accum.full[a], by commits
//                    input.full[s]; tmem_dealloc
//
//   barrier counts are those of default without clc and throttle, and
//   named barrier 3   64 threads: load and mma
//
// Tear-down: load drains; the epilogue says that it is done; mma waits for that, and frees.
import { kernel } from 'poundlock';
import {
  EpilogueWarpContext,
  GroupedTileScheduler,
  MmaWarpContext,
  TileWriter,
  WarpRoles,
} from 'poundlock/sm100';
import { blockScaledMatmul } from './shared/block-scaled.ts';
import { DEFAULTS, rolesOf } from './shared/config.ts';
import { tensormaps } from './shared/tensormaps.ts';

const defaults = { ...DEFAULTS, ctaGroup: 1, clcStages: 0, tilesPerGroup: 2, lookAhead: false };

export default kernel('grouped-1sm', defaults, (config) => {
  const { kIters, tiles, tilesPerGroup, lookAhead } = config;
  const parts = blockScaledMatmul(config);
  const { cluster, inputPipeline, smem } = parts;
  const scheduler = new GroupedTileScheduler({ tiles, tilesPerGroup });
  const tensormap = tensormaps();
  const tileWriter = new TileWriter('c_tiles');

  return rolesOf(cluster, (ctx) => {
    const loadInputTiles = parts.loads(ctx);
    const warps = new WarpRoles(ctx, () => parts.initBarriers(ctx));

    const load = warps.mainLoad(function* () {
      const loadIter = scheduler.workIterator();
      yield* tensormap.abInitBarrier.sync();
      using producer = inputPipeline.producer();
      yield* loadIter.each(function* (current) {
        let nextReady = lookAhead && (yield* producer.tryAcquire());
        if (current.groupChanged) tensormap.updateAb();
        for (let k = 0; k < kIters; k++) {
          {
            using tiles = yield* producer.acquireIfNeeded(nextReady);
            loadInputTiles(tiles);
          }
          nextReady = lookAhead && k + 1 < kIters && (yield* producer.tryAcquire());
        }
      });
      yield* producer.drain();
    });

    const schedulerWarp = warps.scheduler(function* () {
      // returns: there is nothing to schedule
    });

    const mma = warps.mma(function* () {
      const mmaIter = scheduler.workIterator();
      tensormap.initAb();
      yield* tensormap.abInitBarrier.sync();
      const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
      const multiply = parts.products(ctx, mmaCtx.tmem);
      using _tmemLifecycle = mmaCtx.enter();
      yield* mmaIter.each(function* () {
        using outputStage = yield* mmaCtx.outputPipeline.producer();
        using consumer = inputPipeline.consumer();
        let nextReady = lookAhead && (yield* consumer.tryAcquire());
        for (let k = 0; k < kIters; k++) {
          {
            using inputTiles = yield* consumer.acquireIfNeeded(nextReady);
            multiply(outputStage.tmem, inputTiles);
          }
          nextReady = lookAhead && k + 1 < kIters && (yield* consumer.tryAcquire());
        }
      });
    });

    const epilogue = warps.epilogue(function* () {
      tensormap.initC();
      const published = yield* smem.types.Sync.wait();
      const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
      const epiIter = scheduler.workIterator();
      using _signalsDealloc = epiCtx.enter();
      yield* epiIter.each(function* (current) {
        if (current.groupChanged) tensormap.updateC();
        using output = yield* epiCtx.outputPipeline.consumer();
        yield* tileWriter.write(output.outputStage);
      });
    });

    return [load, ctx.isFirstCtaInCluster ? schedulerWarp : null, mma, epilogue];
  });
});
