// A block-scaled matmul (MXFP8, MXFP4, NVFP4): every tile of A and B brings scale factors along.
//
// Shows: scale factors arrive under the same barrier as the tiles, and the tensor core copies them
// into tensor memory itself, in order with its products, so that they need no barrier of their own.
// Pairs of CTAs end together: a CTA that retires while its peer still works for both is KERN-3311.
// Unlike default, kGroupSize is 1, the accumulators leave columns for the scale factors, and no
// warp may return early: all of them meet at the exit barrier of the cluster.
//
//   warp  role       waits for                          signals
//   0–3   epilogue   named barrier 1; accum.full[a]     accum.empty[a] of the leader; tmem_dealloc
//   4     scheduler  throttle.full, clc.empty[i]        clc.full[i] of every CTA, by a response
//   5     load       input.empty[s]; throttle.empty     input.full[s] of the leader, by the bytes of
//                                                       A, B and their scale factors
//   6     mma        accum.empty[a], then input.full[s] input.empty[s] and accum.full[a], by commits
//                    for each k step; tmem_dealloc
//
//   barrier counts are those of default; input full expects the scale factors' bytes as well
//
// Tear-down: as default; then, with pairs, cluster barrier of all warps. With one tile alone
// (clcStages=0) the MMA warp of the odd CTA waits for the accumulator, too, before it frees.
import { kernel } from 'poundlock';
import {
  EpilogueWarpContext,
  MmaWarpContext,
  TileScheduler,
  TileWriter,
  WarpRoles,
} from 'poundlock/sm100';
import { blockScaledMatmul } from './shared/block-scaled.ts';
import { CONSUMER_THREADS, DEFAULTS, rolesOf } from './shared/config.ts';

export default kernel('block-scaled', { ...DEFAULTS, exitBarrier: true }, (config) => {
  const { kIters, tiles, clcStages, exitBarrier } = config;
  const parts = blockScaledMatmul(config);
  const { cluster, inputPipeline, smem } = parts;
  const isPair = parts.ctaGroup === 2;
  const clusterSize = cluster.length;
  const scheduler = new TileScheduler({ stages: clcStages, clusterSize, tiles });
  const tileWriter = new TileWriter('c_tiles');

  return rolesOf(cluster, (ctx) => {
    const loadInputTiles = parts.loads(ctx);
    const initBarriers = () => {
      parts.initBarriers(ctx);
      scheduler.initBarriers(CONSUMER_THREADS);
    };
    const warps = new WarpRoles(ctx, initBarriers, isPair && exitBarrier);

    const load = warps.mainLoad(function* () {
      const loadIter = scheduler.workIterator();
      using producer = inputPipeline.producer();
      yield* loadIter.each(function* () {
        yield* scheduler.throttleSignal(ctx.isFirstCtaInCluster);
        for (let i = 0; i < kIters; i++) {
          using tiles = yield* producer.acquire();
          loadInputTiles(tiles);
        }
      });
      yield* producer.drain();
    });

    const schedulerWarp = warps.scheduler(function* () {
      const schedIter = scheduler.schedulerIterator();
      yield* schedIter.each(function* () {
        yield* schedIter.signalAndAdvance();
      });
      yield* schedIter.drain();
    });

    const mma = warps.mma(function* () {
      const mmaIter = scheduler.workIterator();
      const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
      const multiply = parts.products(ctx, mmaCtx.tmem);
      using _tmemLifecycle = mmaCtx.enter();
      yield* mmaIter.each(function* () {
        if (!ctx.electOneCta) return;
        using outputStage = yield* mmaCtx.outputPipeline.producer();
        using consumer = inputPipeline.consumer();
        for (let i = 0; i < kIters; i++) {
          using inputTiles = yield* consumer.acquire();
          multiply(outputStage.tmem, inputTiles);
        }
      });
      if (isPair && clcStages === 0 && !ctx.electOneCta) {
        yield* mmaCtx.outputPipeline.getPipeline().waitProducer();
      }
    });

    const epilogue = warps.epilogue(function* () {
      const published = yield* smem.types.Sync.wait();
      const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
      const epiIter = scheduler.workIterator();
      using _signalsDealloc = epiCtx.enter();
      yield* epiIter.each(function* () {
        using output = yield* epiCtx.outputPipeline.consumer();
        yield* tileWriter.write(output.outputStage);
      });
    });

    return [load, ctx.isFirstCtaInCluster ? schedulerWarp : null, mma, epilogue];
  });
});
