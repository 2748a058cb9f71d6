import { kernel as $kernel } from 'poundlock';
import { KernelContext, InputTilePipeline, MmaOpSM100, StandardTilePayload, SmemPipelineBundle, TileLoader, EpilogueWarpContext, MmaWarpContext, WarpRoles } from '@poundlock/dialects/sm100';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const smem = new SmemPipelineBundle({ numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
const payload = new StandardTilePayload({ a: [128, 64], b: [128, 64], stages: 2 });
const loader = new TileLoader(ctx.aMulticastMask);
const mmaOp = new MmaOpSM100(ctx);
const scaled = new InputTilePipeline('scaled', payload, { stages: 1 });
const all = new WarpRoles(ctx, () => {
  smem.initBarriers();
  scaled.initBarriers(1, 2);
});
return [
  all.mainLoad(function* () {
    using tiles = yield* scaled.producer().acquire();
    tiles.expectBytes(payload.bytes);
    for (const tile of payload.getTile(tiles.stage())) loader.load(tile, tiles.barrier());
  }),
  all.mma(function* () {
    const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
    using _scope = context.enter();
    using tiles = yield* scaled.consumer().acquire();
    using accumulator = yield* context.perKStage();
    mmaOp.mma(payload.getTile(tiles.stage()), accumulator.tmem.tensor);
    mmaOp.commit(tiles.mbar());
  }),
  all.epilogue(function* () {
    const published = yield* smem.types.Sync.wait();
    const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
    using _scope = context.enter();
    using accumulator = yield* context.perKStage(scaled.pipeline);
    const { kStage } = accumulator;
    kStage.outputStage.tmem.loadUpper();
    yield* kStage.outputStage.tmem.waitLoad();
    kStage.arriveInput(1);
  }),
];
});