import { kernel as $kernel } from 'poundlock';
import { KernelContext, InputTilePipeline, EpilogueKContext, MmaOpSM100, StandardTilePayload, SmemPipelineBundle, TileLoader, EpilogueWarpContext, MmaWarpContext, WarpRoles } from '@poundlock/dialects/sm100';
import { load } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const smem = new SmemPipelineBundle({ numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
const payload = new StandardTilePayload({ a: [128, 64], b: [128, 64], stages: 2 });
const input = new InputTilePipeline('input', payload, { stages: 2 });
const loader = new TileLoader(ctx.aMulticastMask);
const mmaOp = new MmaOpSM100(ctx);
const warps = new WarpRoles(ctx, () => {
  smem.initBarriers();
  input.initBarriers(1, 1);
});
const load = warps.mainLoad(function* () {
  using tiles = yield* input.producer().acquire();
  tiles.expectBytes(payload.bytes);
  for (const tile of payload.getTile(tiles.stage())) loader.load(tile, tiles.barrier());
});
return [
  load,
  warps.mma(function* () {
    const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
    using _scope = context.enter();
    using tiles = yield* input.consumer().acquire();
    using accumulator = yield* context.perKStage();
    mmaOp.mma(payload.getTile(tiles.stage()), accumulator.tmem.tensor);
    mmaOp.commit(tiles.mbar());
  }),
  warps.epilogue(function* () {
    const published = yield* smem.types.Sync.wait();
    const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
    using _scope = context.enter();
    using accumulator: EpilogueKContext = yield* context.perKStage(input.pipeline);
    accumulator.tmem.loadUpper();
    yield* accumulator.tmem.waitLoad();
  }),
];
});