import { kernel as $kernel } from 'poundlock';
import { KernelContext, InputTilePipeline, MmaOpSM100, StandardTilePayload, SmemPipelineBundle, TileLoader, WarpRoles } from '@poundlock/dialects/sm100';
import { buffer } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const smem = new SmemPipelineBundle({ numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
const payload = new StandardTilePayload({ a: [128, 64], b: [128, 64], stages: 2 });
const input = new InputTilePipeline('input', payload, { stages: 2 });
const mmaOp = new MmaOpSM100(ctx);
const acc = buffer('acc');
const warps = new WarpRoles(ctx, () => {
  smem.initBarriers();
  input.initBarriers(1, 1);
});
const multiply = warps.mma(function* () {
  using tiles = yield* input.consumer().acquire();
  mmaOp.mma(payload.getTile(tiles.stage()), acc);
  mmaOp.commit(tiles.mbar());
});
const epilogueThread = warps.epilogue(function* () {});

const own = new TileLoader([0]);
return [
  warps.mainLoad(function* () {
    using tiles = yield* input.producer().acquire();
    tiles.expectBytes(payload.bytes);
    for (const tile of payload.getTile(tiles.stage())) own.load(tile, tiles.barrier());
  }),
  multiply,
  epilogueThread,
];
});