// The standard matmul of the structured kernels, with scoped ownership throughout.
//
// Shows: how the default kernel hands tiles from TMA to the tensor core to the epilogue, who holds
// what in which block, and how a cluster works through tiles that a scheduler warp asks for.
// Unlike blockwise-fp8-linear, everything that is acquired is left by a closing brace; unlike
// blockwise-fp8, an accumulator is handed over once for each tile and not in every k step.
//
//   warp  role       waits for                          signals
//   0–3   epilogue   named barrier 1; accum.full[a]     accum.empty[a] of the leader, when the last
//                                                       fragments are in registers; tmem_dealloc
//   4     scheduler  throttle.full, clc.empty[i]        clc.full[i] of every CTA, by a response
//   5     load       input.empty[s]; throttle.empty     input.full[s] of the leader, by TMA bytes
//   6     mma        accum.empty[a], then input.full[s] input.empty[s] of all who copy into it and
//                    for each k step; tmem_dealloc      accum.full[a] of the pair, by commits
//
//   barrier (per CTA)   arrivals that complete a phase
//   input full          1, and the bytes of A and B of all CTAs of the group
//   input empty         clusterM / ctaGroup + clusterN - 1 commits
//   accum full, empty   1 commit; 128 · ctaGroup epilogue threads
//   clc full, empty     1, and 16 B; 32 + clusterSize · (32 + 32 + 128) threads
//   throttle            32; 32
//   tmem_dealloc        128 · ctaGroup epilogue threads
//
// Tear-down: load drains its ring, the scheduler its own; the epilogue signals to both CTAs
// that it is done; mma relinquishes its permit, waits for that, and frees tensor memory.
import { kernel } from 'poundlock';
import {
  EpilogueWarpContext,
  MmaWarpContext,
  TileScheduler,
  TileWriter,
  WarpRoles,
} from 'poundlock/sm100';
import { CONSUMER_THREADS, DEFAULTS, rolesOf } from './shared/config.ts';
import { standardMatmul } from './shared/standard.ts';

export default kernel('default', { ...DEFAULTS, kGroupSize: 1 }, (config) => {
  const { kGroupSize, kIters, tiles, clcStages } = config;
  const parts = standardMatmul(config, kGroupSize);
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
        for (let i = 0; i < kIters; i += kGroupSize) {
          using tiles = yield* producer.acquire(); // waits for the consumers
          loadInputTiles(tiles);
        }
      });
      yield* producer.drain(); // waits for the consumers before the CTA ends
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
        using outputStage = yield* mmaCtx.outputPipeline.producer(); // waits for the epilogue
        using consumer = inputPipeline.consumer();
        for (let i = 0; i < kIters; i += kGroupSize) {
          using inputTiles = yield* consumer.acquire(); // waits for TMA
          multiply(outputStage.tmem, inputTiles);
        }
      });
    });

    const epilogue = warps.epilogue(function* () {
      const published = yield* smem.types.Sync.wait(); // mma has published the address
      const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
      const epiIter = scheduler.workIterator();
      using _signalsDealloc = epiCtx.enter();
      yield* epiIter.each(function* () {
        using output = yield* epiCtx.outputPipeline.consumer(); // waits for mma
        yield* tileWriter.write(output.outputStage);
      });
    });

    return [load, ctx.isFirstCtaInCluster ? schedulerWarp : null, mma, epilogue];
  });
});
