// A grouped block-scaled matmul on pairs of CTAs, with Cluster Launch Control in software.
//
// Shows: a scheduler warp that announces every tile to the MMA warps of both CTAs; all other warps
// compute their tiles by themselves. Its throttle is left out on purpose: load never signals it.
// Its `drain` as written, `--set drain=zero`, hangs when a cluster has 5, 9, 13 … tiles
// (suspects/grouped-drain); the launch gives each cluster one tile, which hides it.
// Unlike grouped-1sm, tiles are fetched before the work on them, and by the MMA warps alone.
//
//   warp  role       waits for                          signals
//   0–3   epilogue   named barrier 1; accum.full[a]     accum.empty[a] of the leader; tmem_dealloc
//   4     scheduler  clc.empty[i]                       clc.full[i] of both CTAs, one elected thread
//   5     load       named barrier 3; input.empty[s]    input.full[s] of the leader, by TMA bytes
//   6     mma        named barrier 3; clc.full[i];      clc.empty[i] of the first CTA, every thread;
//                    accum.empty[a], input.full[s];     input.empty[s] and accum.full[a], by commits
//                    tmem_dealloc
//
//   barrier counts are those of block-scaled without throttle, and
//   clc full, empty   1; 32 · 2 threads of the MMA warps
//   named barrier 3   64 threads: load and mma
//
// Tear-down: load drains, the scheduler drains; epilogue, mma as in default.
import { kernel } from 'poundlock';
import {
  EpilogueWarpContext,
  GroupedClcScheduler,
  MmaWarpContext,
  TileWriter,
  WarpRoles,
} from 'poundlock/sm100';
import { blockScaledMatmul } from './shared/block-scaled.ts';
import { DEFAULTS, rolesOf } from './shared/config.ts';
import { tensormaps } from './shared/tensormaps.ts';

const defaults = { ...DEFAULTS, tilesPerGroup: 2, drain: 'producer-state' };

export default kernel('grouped-2sm', defaults, (config) => {
  const { kIters, tiles, tilesPerGroup, clcStages: stages } = config;
  const parts = blockScaledMatmul(config);
  const { cluster, inputPipeline, smem, ctaGroup } = parts;
  const drain = config.drain === 'zero' ? 'zero' : 'producer-state';
  const scheduler = new GroupedClcScheduler({ tiles, tilesPerGroup, stages, ctaGroup, drain });
  const tensormap = tensormaps();
  const tileWriter = new TileWriter('c_tiles');

  return rolesOf(cluster, (ctx) => {
    const loadInputTiles = parts.loads(ctx);
    const warps = new WarpRoles(ctx, () => {
      parts.initBarriers(ctx);
      scheduler.initBarriers();
    });

    const load = warps.mainLoad(function* () {
      const workIter = scheduler.workIterator();
      yield* tensormap.abInitBarrier.sync();
      using producer = inputPipeline.producer();
      yield* workIter.each(function* (current) {
        if (current.groupChanged) tensormap.updateAb();
        for (let k = 0; k < kIters; k++) {
          using tiles = yield* producer.acquire();
          loadInputTiles(tiles);
        }
      });
      yield* producer.drain();
    });

    const schedulerWarp = warps.scheduler(function* () {
      const schedIter = scheduler.schedulerIterator();
      const signals = yield* schedIter.each(function* (signals) {
        yield* schedIter.signalAndAdvance(signals);
      });
      yield* schedIter.drain(signals);
    });

    const mma = warps.mma(function* () {
      const mmaIter = scheduler.mmaIterator();
      tensormap.initAb();
      yield* tensormap.abInitBarrier.sync();
      const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
      const multiply = parts.products(ctx, mmaCtx.tmem);
      using _tmemLifecycle = mmaCtx.enter();
      yield* mmaIter.each(function* () {
        if (!ctx.electOneCta) return;
        using outputStage = yield* mmaCtx.outputPipeline.producer();
        using consumer = inputPipeline.consumer();
        for (let k = 0; k < kIters; k++) {
          using inputTiles = yield* consumer.acquire();
          multiply(outputStage.tmem, inputTiles);
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
