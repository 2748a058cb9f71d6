// A 2D convolution with a residual: the matmul of im2col tiles, and a warp that loads what is added.
//
// Shows: a seventh job. The epilogue-load warp brings the residual tile by tile into a ring of its
// own, and starts with a tile when the first loads of that tile are on their way. The epilogue
// frees an accumulator long before it is done with the residual.
// Unlike default, the loads of a tile have two parts, the prologue that fills the ring and the
// rest; between them load signals epilogue_load to begin. In the original it has
// no way back, which suspects/load-order shows; here `loadOrder` has one.
//
//   warp  role           waits for                         signals
//   0–3   epilogue       named barrier 1; accum.full[a];   accum.empty[a] of the leader;
//                        src.full[e] for each sub-stage    src.empty[e], every thread; tmem_dealloc
//   4     scheduler      throttle.full, clc.empty[i]       clc.full[i] of every CTA, by a response
//   5     load           input.empty[s]; throttle.empty;   input.full[s] of the leader, by TMA bytes;
//                        load_order.empty                  load_order.full
//   6     mma            accum.empty[a], then              input.empty[s] and accum.full[a],
//                        input.full[s]; tmem_dealloc       by commits
//   7     epilogue_load  load_order.full; src.empty[e]     load_order.empty; src.full[e], by TMA bytes
//
//   barrier counts are those of default, and
//   src full, empty          1, and the bytes of a residual tile; 128 epilogue threads
//   load_order full, empty   1; 1
//   clc empty                32 + clusterSize · (32 + 32 + 128 + 32) threads
//
// Tear-down: as default. epilogue_load drains nothing: its ring gets no signals from other CTAs.
import { arrive, kernel, pipeline, read } from 'poundlock';
import {
  EpilogueWarpContext,
  EpiLoadPipeline,
  LoadOrderBarrier,
  MmaWarpContext,
  tileArray,
  TileScheduler,
  TileWriter,
  WarpRoles,
} from 'poundlock/sm100';
import { BM, CONSUMER_THREADS, DEFAULTS, rolesOf } from './shared/config.ts';
import { standardMatmul } from './shared/standard.ts';

const SUB_STAGES = 2; // residual tiles of an output tile
const OUTPUT_N = 64;

export default kernel('conv2d', { ...DEFAULTS, loadOrder: 'two-way' }, (config) => {
  const { kIters, tiles, clcStages, stages } = config;
  const parts = standardMatmul(config);
  const { cluster, inputPipeline, smem } = parts;
  const clusterSize = cluster.length;
  const scheduler = new TileScheduler({ stages: clcStages, clusterSize, tiles });
  const outputTile = { shape: [BM, OUTPUT_N], elementBytes: 2 } as const;
  const srcTiles = tileArray('src_tiles', { ...outputTile, count: SUB_STAGES });
  const epiLoadPipeline = new EpiLoadPipeline('src', srcTiles);
  const tileWriter = new TileWriter('out_tiles', SUB_STAGES);
  const order = loadOrder(config.loadOrder);

  return rolesOf(cluster, (ctx) => {
    const loadInputTiles = parts.loads(ctx);
    const multiply = parts.products(ctx);
    const warps = new WarpRoles(ctx, () => {
      parts.initBarriers(ctx);
      scheduler.initBarriers(CONSUMER_THREADS + 32);
      epiLoadPipeline.initBarriers();
      order.initBarrier();
    });

    const load = warps.mainLoad(function* () {
      const loadIter = scheduler.workIterator();
      using producer = inputPipeline.producer();
      const loadIters = function* (from: number, to: number) {
        for (let i = from; i < to; i++) {
          using tiles = yield* producer.acquire();
          loadInputTiles(tiles);
        }
      };
      yield* loadIter.each(function* () {
        yield* scheduler.throttleSignal(ctx.isFirstCtaInCluster);
        const numPrologue = Math.min(stages, kIters);
        yield* loadIters(0, numPrologue); // prologue: fills the ring
        yield* order.arriveAndStep();
        yield* loadIters(numPrologue, kIters); // steady state
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

    const epilogueLoad = warps.epilogueLoad(function* () {
      const epiLoadIter = scheduler.workIterator();
      yield* epiLoadIter.each(function* () {
        yield* order.waitAndStep();
        for (let k = 0; k < SUB_STAGES; k++) yield* epiLoadPipeline.load();
      });
    });

    const mma = warps.mma(function* () {
      const mmaIter = scheduler.workIterator();
      const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
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
    });

    const epilogue = warps.epilogue(function* () {
      const published = yield* smem.types.Sync.wait();
      const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
      const epiIter = scheduler.workIterator();
      using _signalsDealloc = epiCtx.enter();
      yield* epiIter.each(function* () {
        using output = yield* epiCtx.outputPipeline.consumer();
        yield* tileWriter.write(output.outputStage, addResidual);
      });
    });

    const addResidual = function* () {
      const stage = yield* epiLoadPipeline.waitProducer();
      for (const slice of epiLoadPipeline.tile(stage).slices) read(slice);
      epiLoadPipeline.release(stage);
    };
    const first = ctx.isFirstCtaInCluster ? schedulerWarp : null;
    return [load, first, epilogueLoad, mma, epilogue];
  });
});

/** How load signals epilogue_load to begin: with a way back, or as it was written. */
function loadOrder(kind: string) {
  if (kind === 'one-way') {
    const barrier = new LoadOrderBarrier('load_order');
    return {
      initBarrier: () => barrier.initBarrier(),
      *arriveAndStep() {
        barrier.arriveAndStep();
      },
      waitAndStep: () => barrier.waitAndStep(),
    };
  }
  const ring = pipeline('load_order', { stages: 1, producers: 0, consumers: 0 });
  return {
    initBarrier: () => ring.initMbars(1, 1),
    *arriveAndStep() {
      arrive(ring.producerMbar(yield* ring.waitConsumer()));
      ring.producerStep();
    },
    *waitAndStep() {
      arrive(ring.consumerMbar(yield* ring.waitProducer()));
      ring.consumerStep();
    },
  };
}
