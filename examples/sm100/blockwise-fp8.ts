// A blockwise FP8 matmul with scoped ownership: every k step hands an accumulator over.
//
// Shows: the accumulator ring turns once for each k step, since the epilogue scales each partial
// product and adds it up in registers. An input stage has two consumers: the tensor core, whose
// commit frees it, and the epilogue, which reads the scales of A and never waits for them: that
// they have landed follows from the accumulator, whose MMA has waited for them.
// Unlike default, the epilogue goes through both rings in one block, perKStage. The same kernel
// with linear ownership is blockwise-fp8-linear.
//
//   warp  role       waits for                          signals
//   0–3   epilogue   named barrier 1; accum.full[a]     input.empty[s], by lanes below the cluster's
//                    for each k step                    size; accum.empty[a] of the leader, every
//                                                       thread; tmem_dealloc
//   4     scheduler  throttle.full, clc.empty[i]        clc.full[i] of every CTA, by a response
//   5     load       input.empty[s]; throttle.empty     input.full[s] of the leader, by TMA bytes
//   6     mma        accum.empty[a], input.full[s];     input.empty[s] and accum.full[a], by commits,
//                    tmem_dealloc                       for each k step
//
//   barrier counts are those of default, except
//   input empty   commits as there, and 4 · clusterSize epilogue threads of the CTA
//
// Tear-down: as default.
import { kernel } from 'poundlock';
import {
  EpilogueWarpContext,
  MmaWarpContext,
  TileScheduler,
  TileWriter,
  WarpRoles,
} from 'poundlock/sm100';
import { blockwiseFp8Matmul } from './shared/blockwise-fp8.ts';
import { CONSUMER_THREADS, DEFAULTS, rolesOf } from './shared/config.ts';

export default kernel('blockwise-fp8', DEFAULTS, (config) => {
  const { kIters, tiles, clcStages } = config;
  const parts = blockwiseFp8Matmul(config);
  const { cluster, inputPipeline, smem } = parts;
  const clusterSize = cluster.length;
  const scheduler = new TileScheduler({ stages: clcStages, clusterSize, tiles });
  const tileWriter = new TileWriter('c_tiles');

  return rolesOf(cluster, (ctx) => {
    const loadInputTiles = parts.loads(ctx);
    const multiply = parts.products(ctx);
    const warps = new WarpRoles(ctx, () => {
      parts.initBarriers(ctx);
      scheduler.initBarriers(CONSUMER_THREADS);
    });

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
      using _tmemLifecycle = mmaCtx.enter();
      yield* mmaIter.each(function* () {
        if (!ctx.electOneCta) return;
        using consumer = inputPipeline.consumer();
        for (let i = 0; i < kIters; i++) {
          using mmaStage = yield* mmaCtx.perKStage(); // waits for the epilogue
          using inputTiles = yield* consumer.acquire(); // waits for TMA
          multiply(mmaStage.tmem, inputTiles);
        }
      });
    });

    const epilogue = warps.epilogue(function* () {
      const published = yield* smem.types.Sync.wait();
      const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
      const epiIter = scheduler.workIterator();
      using _signalsDealloc = epiCtx.enter();
      yield* epiIter.each(function* () {
        for (let i = 0; i < kIters; i++) {
          using epiStage = yield* epiCtx.perKStage(inputPipeline.pipeline); // waits for mma
          yield* parts.promote(epiStage.kStage);
        }
        yield* tileWriter.writeRegisters();
      });
    });

    return [load, ctx.isFirstCtaInCluster ? schedulerWarp : null, mma, epilogue];
  });
});
