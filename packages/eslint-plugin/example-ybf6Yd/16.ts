import { kernel as $kernel } from 'poundlock';
import { KernelContext, InputTilePipeline, MmaKStage, StandardTilePayload, SmemPipelineBundle, TileWriter, EpilogueWarpContext, MmaWarpContext, WarpRoles } from '@poundlock/dialects/sm100';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const smem = new SmemPipelineBundle({ numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
const payload = new StandardTilePayload({ a: [128, 64], b: [128, 64], stages: 2 });
const input = new InputTilePipeline('input', payload, { stages: 2 });
const writer = new TileWriter('c');
const warps = new WarpRoles(ctx, () => {
  smem.initBarriers();
  input.initBarriers(1, 1);
});
const epilogue = warps.epilogue(function* () {
  const published = yield* smem.types.Sync.wait();
  const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
  using _scope = context.enter();
  using accumulator = yield* context.outputPipeline.consumer();
  yield* writer.write(accumulator.outputStage);
});
return [
  warps.mma(function* () {
    const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
    using _scope = context.enter();
    using _accumulator: MmaKStage = yield* context.perKStage();
  }),
  epilogue,
];
});