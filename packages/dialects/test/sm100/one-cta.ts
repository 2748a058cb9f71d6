// One CTA with a load, an MMA and an epilogue warp, each of which a test may write anew.
import type { Kernel, Op } from 'poundlock';
import { count, end, kernel, loop } from 'poundlock';
import {
  AccumBarrier,
  clusterOf,
  EpilogueWarpContext,
  InputTilePipeline,
  MmaOpSM100,
  MmaWarpContext,
  OutputTilePipeline,
  SmemPipelineBundle,
  StandardTilePayload,
  TileLoader,
  WarpRoles,
  type KernelContext,
  type OutputStage,
  type ProducerTiles,
  type InputProducerStage,
  type TmemStage,
  type Tile,
} from '@poundlock/dialects/sm100';

export type Part = Generator<Op, void, number>;
type Filling = ProducerTiles<StandardTilePayload> | InputProducerStage<StandardTilePayload>;

export interface Parts {
  readonly ctx: KernelContext;
  readonly input: InputTilePipeline<StandardTilePayload>;
  readonly smem: SmemPipelineBundle;
  readonly mmaOp: MmaOpSM100;
  /** Runs `body` as often as there are items. */
  readonly each: (body: () => Part) => Part;
  /** Expects the bytes of a stage and loads its tiles. */
  readonly load: (tiles: Filling) => void;
  /** Loads an accumulator into registers, and frees it. */
  readonly drainAccumulator: (stage: OutputStage) => Part;
}

export interface Warps {
  readonly load?: (parts: Parts) => Part;
  readonly mma?: (parts: Parts) => Part;
  readonly epilogue?: (parts: Parts) => Part;
  readonly items?: number;
  readonly pair?: boolean;
  /** Arrivals that free an input stage besides the commits. */
  readonly extraInputArrivals?: number;
  /** Declares what else the warps need, in each call of the kernel. */
  readonly declare?: (smem: SmemPipelineBundle) => void;
}

export const BYTES = 2 * 128 * 64 * 2;

/** The kernel with some warps written anew; the others do what the default kernel does. */
export function oneCta(warps: Warps): Kernel {
  const { items: total = 5, pair = false, extraInputArrivals = 0 } = warps;
  const ctaGroup = pair ? 2 : 1;
  return kernel('one-cta', {}, () => {
    const cluster = clusterOf({ m: ctaGroup, n: 1, ctaGroup });
    const payload = new StandardTilePayload({ a: [128, 64], b: [128, 64], stages: 2 });
    const input = new InputTilePipeline('input', payload, { stages: 2 });
    const smem = new SmemPipelineBundle({ numStages: 2, stageStrideCols: 256, ctaGroup });
    const items = count(total);
    warps.declare?.(smem);
    const each = function* (body: () => Part): Part {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        yield* body();
        return null;
      });
    };
    return cluster.flatMap((ctx) => {
      const roles = new WarpRoles(ctx, () => {
        input.initBarriers(1, ctx.inputConsumers + extraInputArrivals);
        OutputTilePipeline.initBarriers(smem.accumBarriers, 1, smem.types.epilogueThreads);
        smem.tmemDealloc.initBarrier(smem.types.epilogueThreads);
      });
      const loader = new TileLoader([ctx.cta], ctaGroup);
      const load = (tiles: Filling): void => {
        if (ctx.electOneCta) tiles.expectBytes(BYTES * ctaGroup);
        for (const tile of tiles.payload().getTile(tiles.stage()))
          loader.load(tile, tiles.barrier());
      };
      const mmaOp = new MmaOpSM100(ctx);
      const parts: Parts = { ctx, input, smem, mmaOp, each, load, drainAccumulator };
      return [
        roles.mainLoad(() => (warps.load ?? loadAll)(parts)),
        roles.mma(() => (warps.mma ?? multiplyAll)(parts)),
        roles.epilogue(() => (warps.epilogue ?? writeAll)(parts)),
      ];
    });
  });
}

function* drainAccumulator(stage: OutputStage): Part {
  stage.tmem.loadUpper();
  yield* stage.tmem.waitLoad();
  stage.tmem.useFragments();
  AccumBarrier.arrive(stage.pipeline, stage.index, stage.ctaGroup);
}

function* loadAll({ input, each, load }: Parts): Part {
  const producer = input.producer();
  yield* each(function* () {
    using tiles = yield* producer.acquire();
    load(tiles);
  });
  yield* producer.drain();
}

function* multiplyAll({ ctx, input, smem, each, mmaOp }: Parts): Part {
  const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
  using _life = mmaCtx.enter();
  if (!ctx.electOneCta) return;
  yield* each(function* () {
    using output = yield* mmaCtx.outputPipeline.producer();
    using tiles = yield* input.consumer().acquire();
    product(mmaOp, tiles.payload().getTile(tiles.stage()), output.tmem);
    mmaOp.commit(tiles.mbar());
  });
}

/** One product into an accumulator. */
export function product(mmaOp: MmaOpSM100, tiles: readonly Tile[], into: TmemStage): void {
  mmaOp.mma(tiles, into.tensor);
}

function* writeAll({ ctx, smem, each, drainAccumulator: drain }: Parts): Part {
  const published = yield* smem.types.Sync.wait();
  const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
  using _done = epiCtx.enter();
  yield* each(function* () {
    using output = yield* epiCtx.outputPipeline.consumer();
    yield* drain(output.outputStage);
  });
}
