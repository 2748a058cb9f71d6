import { kernel as $kernel } from 'poundlock';
import { KernelContext, InputTilePipeline, StandardTilePayload, SmemPipelineBundle, WarpRoles, GroupedTileScheduler, GroupedWorkInfo } from '@poundlock/dialects/sm100';
import { buffer, write } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const smem = new SmemPipelineBundle({ numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
const payload = new StandardTilePayload({ a: [128, 64], b: [128, 64], stages: 2 });
const input = new InputTilePipeline('input', payload, { stages: 2 });
const warps = new WarpRoles(ctx, () => {
  smem.initBarriers();
  input.initBarriers(1, 1);
});
const scheduler = new GroupedTileScheduler({ tiles: 4, tilesPerGroup: 2 });
const tensormaps = buffer('tensormaps');
return [
  warps.epilogue(function* () {
    yield* scheduler.workIterator().each(function* (current: GroupedWorkInfo) {
      if (current.groupChanged) write(tensormaps);
    });
  }),
];
});