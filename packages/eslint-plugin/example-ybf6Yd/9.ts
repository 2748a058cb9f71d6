import { kernel as $kernel } from 'poundlock';
import { KernelContext, InputTilePipeline, MmaOpSM100, StandardTilePayload, TileLoader, WarpRoles } from '@poundlock/dialects/sm100';
import { buffer } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const payload = new StandardTilePayload({ a: [128, 64], b: [128, 64], stages: 2 });
const loader = new TileLoader(ctx.aMulticastMask);
const mmaOp = new MmaOpSM100(ctx);
const acc = buffer('acc');
const two = new InputTilePipeline('two', payload, { stages: 2, kGroupSize: 2 });
const both = new WarpRoles(ctx, () => two.initBarriers(1, 1));
return [
  both.mainLoad(function* () {
    using producer = two.producer();
    using tiles = yield* producer.acquire();
    tiles.expectBytes(2 * payload.bytes);
    for (const k of [0, 1]) {
      const pair = payload.getTile(tiles.stage(), k, 2);
      for (const tile of pair) loader.load(tile, tiles.barrier());
    }
  }),
  both.mma(function* () {
    using consumer = two.consumer();
    using tiles = yield* consumer.acquire();
    for (const k of [0, 1]) mmaOp.mma(payload.getTile(tiles.stage(), k, 2), acc);
    mmaOp.commit(tiles.mbar());
  }),
  both.epilogue(function* () {}),
];
});