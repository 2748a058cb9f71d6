// What a matmul of A and B tiles is made of: shared memory, loaders, and the two things warps do.
import {
  InputTilePipeline,
  MmaOpSM100,
  SmemPipelineBundle,
  StandardTilePayload,
  TileLoader,
  type KernelContext,
  type TmemStage,
} from 'poundlock/sm100';
import type { ConsumerTiles, ProducerTiles } from 'poundlock/sm100';
import { BK, BM, BN, layOut, type MatmulConfig } from './config.ts';

/** Declares the shared memory of every CTA. */
export function standardMatmul(config: MatmulConfig, kGroupSize = 1) {
  const { stages } = config;
  const { ctaGroup, cluster, opc } = layOut(config);
  const slices = cluster[0]!.slices;
  const tilePayload = new StandardTilePayload({ a: [BM, BK], b: [BN, BK], stages, slices });
  const inputPipeline = new InputTilePipeline('input', tilePayload, { stages, kGroupSize });
  const smem = new SmemPipelineBundle(opc);
  const inputExpectedBytes = ctaGroup * tilePayload.bytes * kGroupSize;

  /** Loads of one CTA into a stage that it has acquired. */
  const loads = (ctx: KernelContext) => {
    const [, peerRankM, peerRankN] = ctx.peerCtaCoord;
    const aLoader = new TileLoader(ctx.aMulticastMask, ctaGroup, peerRankN);
    const bLoader = new TileLoader(ctx.bMulticastMask, ctaGroup, peerRankM);
    return (tiles: ProducerTiles<StandardTilePayload>): void => {
      if (ctx.electOneCta) tiles.expectBytes(inputExpectedBytes); // once for all k tiles
      for (let j = 0; j < kGroupSize; j++) {
        const [aTile, bTile] = tiles.payload().getTile(tiles.stage(), j, kGroupSize);
        aLoader.load(aTile, tiles.barrier());
        bLoader.load(bTile, tiles.barrier());
      }
    };
  };

  /** Products of one CTA, or of its pair, from a stage into an accumulator. */
  const products = (ctx: KernelContext) => {
    const mmaOp = new MmaOpSM100(ctx);
    return (accumulator: TmemStage, inputTiles: ConsumerTiles<StandardTilePayload>): void => {
      for (let j = 0; j < kGroupSize; j++) {
        const tile = inputTiles.payload().getTile(inputTiles.stage(), j, kGroupSize);
        mmaOp.mma(tile, accumulator.tensor);
      }
      mmaOp.commit(inputTiles.mbar());
    };
  };

  /** Initializes the barriers that every such kernel has, in one CTA. */
  const initBarriers = (ctx: KernelContext): void => {
    inputPipeline.initBarriers(1, ctx.inputConsumers);
    smem.initBarriers();
  };
  return { cluster, inputPipeline, smem, loads, products, initBarriers };
}
