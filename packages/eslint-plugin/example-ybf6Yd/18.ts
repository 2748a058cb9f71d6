import { kernel as $kernel } from 'poundlock';
import { KernelContext, InputTilePipeline, MmaOpSM100, StandardTilePayload, SmemPipelineBundle, TileLoader, WarpRoles } from '@poundlock/dialects/sm100';
import { buffer, load } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const smem = new SmemPipelineBundle({ numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
const payload = new StandardTilePayload({ a: [128, 64], b: [128, 64], stages: 2 });
const input = new InputTilePipeline('input', payload, { stages: 2 });
const loader = new TileLoader(ctx.aMulticastMask);
const acc = buffer('acc');
const warps = new WarpRoles(ctx, () => {
  smem.initBarriers();
  input.initBarriers(1, 1);
});
const load = warps.mainLoad(function* () {
  using tiles = yield* input.producer().acquire();
  tiles.expectBytes(payload.bytes);
  for (const tile of payload.getTile(tiles.stage())) loader.load(tile, tiles.barrier());
});
const epilogueThread = warps.epilogue(function* () {});

const one = new MmaOpSM100(ctx);
return [
  load,
  warps.mma(function* () {
    using tiles = yield* input.consumer().acquire();
    one.mma(payload.getTile(tiles.stage()), acc);
    one.commit(tiles.mbar());
  }),
  epilogueThread,
];
});