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
// Tear-down: load drains its ring, the scheduler its own; the epilogue tells the peer and itself
// that it is done; mma gives up its permit, waits for that, and frees tensor memory.
import { kernel } from 'poundlock';
import {
  clusterOf,
  EpilogueWarpContext,
  InputTilePipeline,
  MmaOpSM100,
  MmaWarpContext,
  SmemPipelineBundle,
  StandardTilePayload,
  TileLoader,
  TileScheduler,
  TileWriter,
  WarpRoles,
  type ConsumerTiles,
  type ProducerTiles,
  type TmemStage,
} from 'poundlock/sm100';

const [BM, BN, BK] = [128, 128, 64];
const CONSUMER_THREADS = 32 + 32 + 128; // load, mma, epilogue: they fetch every response

const defaults = {
  stages: 4,
  kGroupSize: 1,
  accumStages: 2,
  clcStages: 2,
  kIters: 4,
  tiles: 3,
  ctaGroup: 2,
  clusterM: ({ ctaGroup }: { ctaGroup: number }) => ctaGroup,
  clusterN: 1,
};

export default kernel('default', defaults, (config) => {
  const { stages, kGroupSize, kIters, tiles } = config;
  const ctaGroup = config.ctaGroup === 2 ? 2 : 1;
  const cluster = clusterOf({ m: config.clusterM, n: config.clusterN, ctaGroup });
  const opc = {
    numStages: config.accumStages,
    stageStrideCols: Math.floor(512 / config.accumStages),
    ctaGroup,
  } as const;

  const smem = new SmemPipelineBundle(opc);
  const tilePayload = new StandardTilePayload({
    a: [BM, BK],
    b: [BN, BK],
    stages,
    slices: cluster[0]!.slices,
  });
  const inputPipeline = new InputTilePipeline('input', tilePayload, { stages, kGroupSize });
  const clusterSize = cluster.length;
  const scheduler = new TileScheduler({ stages: config.clcStages, clusterSize, tiles });
  const tileWriter = new TileWriter('c_tiles');
  const inputExpectedBytes = ctaGroup * tilePayload.bytes * kGroupSize;

  return cluster.flatMap((ctx) => {
    const warps = new WarpRoles(ctx, () => {
      inputPipeline.initBarriers(1, ctx.inputConsumers);
      smem.initBarriers();
      scheduler.initBarriers(CONSUMER_THREADS);
    });
    const [, peerRankM, peerRankN] = ctx.peerCtaCoord;
    const aLoader = new TileLoader(ctx.aMulticastMask, ctaGroup, peerRankN);
    const bLoader = new TileLoader(ctx.bMulticastMask, ctaGroup, peerRankM);
    const mmaOp = new MmaOpSM100(ctx);

    const loadInputTiles = (tiles: ProducerTiles<StandardTilePayload>) => {
      if (ctx.electOneCta) tiles.expectBytes(inputExpectedBytes);
      for (let j = 0; j < kGroupSize; j++) {
        const [aTile, bTile] = tiles.payload().getTile(tiles.stage(), j, kGroupSize);
        aLoader.load(aTile, tiles.barrier());
        bLoader.load(bTile, tiles.barrier());
      }
    };
    const multiply = (accumulator: TmemStage, inputTiles: ConsumerTiles<StandardTilePayload>) => {
      for (let j = 0; j < kGroupSize; j++) {
        const tile = inputTiles.payload().getTile(inputTiles.stage(), j, kGroupSize);
        mmaOp.mma(tile, accumulator.tensor);
      }
      mmaOp.commit(inputTiles.mbar());
    };

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
        using outputStage = yield* epiCtx.outputPipeline.consumer(); // waits for mma
        yield* tileWriter.write(outputStage.outputStage);
      });
    });

    return [load, ...(ctx.isFirstCtaInCluster ? [schedulerWarp] : []), mma, epilogue];
  });
});
