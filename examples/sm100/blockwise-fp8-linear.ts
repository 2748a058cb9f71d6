// The blockwise FP8 matmul with linear ownership: one call leaves what one call has acquired.
//
// Shows: the kernel of the forum thread, in which linear types replace context managers. Warps are
// flat functions, and the products of a k step are three levels deep where blockwise-fp8 has five,
// with a scope at each of them. Its releases are in the reverse order of its acquires all the same.
// Unlike blockwise-fp8, forgetting a release is not impossible: the checker says `leaked-stage`.
//
//   warp, role, barrier counts, tear-down: as blockwise-fp8. Only its epilogue has a scope left,
//   the perKStage that leaves two rings at once, as in the original.
import { kernel, type Op } from 'poundlock';
import {
  EpilogueHandle,
  MmaHandle,
  TileScheduler,
  TileWriter,
  WarpRoles,
  type KernelContext,
} from 'poundlock/sm100';
import { blockwiseFp8Matmul } from './shared/blockwise-fp8.ts';
import { CONSUMER_THREADS, DEFAULTS, rolesOf, type MatmulConfig } from './shared/config.ts';

type Warp = Generator<Op, void, number>;
type Parts = ReturnType<typeof declareAll>;

function* loadWarp({ config, scheduler, inputPipeline, loads }: Parts, ctx: KernelContext): Warp {
  const loadIter = scheduler.workIterator();
  const producer = inputPipeline.producer();
  const loadInputTiles = loads(ctx);
  yield* loadIter.each(function* () {
    yield* scheduler.throttleSignal(ctx.isFirstCtaInCluster);
    for (let i = 0; i < config.kIters; i++) {
      const tiles = yield* producer.acquireStage(); // waits for the consumers
      loadInputTiles(tiles);
      tiles.release();
    }
  });
  yield* producer.drain();
}

function* schedulerWarp({ scheduler }: Parts): Warp {
  const schedIter = scheduler.schedulerIterator();
  yield* schedIter.each(() => schedIter.signalAndAdvance());
  yield* schedIter.drain();
}

function* mmaWarp(parts: Parts, ctx: KernelContext): Warp {
  const { config, scheduler, inputPipeline, smem } = parts;
  const kIters = ctx.electOneCta ? config.kIters : 0; // the odd CTA of a pair only fetches tiles
  const mmaIter = scheduler.workIterator();
  const multiply = parts.products(ctx);
  const mmaHandle = yield* MmaHandle.create(smem, ctx.mmaCompleteMask);
  yield* mmaIter.each(function* () {
    for (let i = 0; i < kIters; i++) {
      const mmaStage = yield* mmaHandle.acquireKStageLinear(); // waits for the epilogue
      const inputTiles = yield* inputPipeline.acquireConsumer(); // waits for TMA
      multiply(mmaStage.tmem, inputTiles);
      inputTiles.release();
      mmaStage.release();
    }
  });
  mmaHandle.release();
}

function* epilogueWarps(parts: Parts, ctx: KernelContext): Warp {
  const { config, scheduler, inputPipeline, smem, tileWriter } = parts;
  const published = yield* smem.types.Sync.wait();
  const epiHandle = EpilogueHandle.create(smem, ctx.mmaCompleteMask, published);
  const epiIter = scheduler.workIterator();
  yield* epiIter.each(function* () {
    for (let i = 0; i < config.kIters; i++) {
      using epiStage = yield* epiHandle.perKStage(inputPipeline.pipeline); // waits for mma
      yield* parts.promote(epiStage.kStage);
    }
    yield* tileWriter.writeRegisters();
  });
  epiHandle.release();
}

function declareAll(config: MatmulConfig) {
  const parts = blockwiseFp8Matmul(config);
  const { clcStages: stages, tiles } = config;
  const scheduler = new TileScheduler({ stages, clusterSize: parts.cluster.length, tiles });
  return { ...parts, config, scheduler, tileWriter: new TileWriter('c_tiles') };
}

export default kernel('blockwise-fp8-linear', DEFAULTS, (config) => {
  const parts = declareAll(config);
  return rolesOf(parts.cluster, (ctx) => {
    const warps = new WarpRoles(ctx, () => {
      parts.initBarriers(ctx);
      parts.scheduler.initBarriers(CONSUMER_THREADS);
    });
    return [
      warps.mainLoad(() => loadWarp(parts, ctx)),
      ctx.isFirstCtaInCluster ? warps.scheduler(() => schedulerWarp(parts)) : null,
      warps.mma(() => mmaWarp(parts, ctx)),
      warps.epilogue(() => epilogueWarps(parts, ctx)),
    ];
  });
});
