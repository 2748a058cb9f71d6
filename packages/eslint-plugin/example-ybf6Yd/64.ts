import { kernel as $kernel } from 'poundlock';
import { KernelContext, InputTilePipeline, StandardTilePayload, SmemPipelineBundle, WarpRoles, TileSchedulerSplitK } from '@poundlock/dialects/sm100';
import { compute } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const smem = new SmemPipelineBundle({ numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
const payload = new StandardTilePayload({ a: [128, 64], b: [128, 64], stages: 2 });
const input = new InputTilePipeline('input', payload, { stages: 2 });
const warps = new WarpRoles(ctx, () => {
  smem.initBarriers();
  input.initBarriers(1, 1);
});
const scheduler = new TileSchedulerSplitK({
  stages: 0,
  clusterSize: 1,
  tiles: 1,
  splits: 1,
  kTiles: 4,
});
return [
  warps.epilogue(function* () {
    yield* scheduler.workIterator().each(function* (work) {
      yield* compute(work.numKTiles);
    });
  }),
];
});