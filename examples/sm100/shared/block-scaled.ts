// What a block-scaled matmul adds: scale tiles by TMA, and their way into tensor memory.
import {
  BlockScaledTilePayload,
  InputTilePipeline,
  MmaOpSM100,
  SmemPipelineBundle,
  TileLoader,
  type KernelContext,
  type TmemAllocation,
  type TmemStage,
} from 'poundlock/sm100';
import type { ConsumerTiles, ProducerTiles } from 'poundlock/sm100';
import { BM, layOut, type MatmulConfig } from './config.ts';

const BK = 128; // elements of a byte
const MMA_N = 128; // the accumulators' stride: behind two of them is room for scale factors
const SCALES = 4; // columns of one tile's scale factors in tensor memory, and BK / 32 of them

/** Declares the shared memory of every CTA. A stage has one tile of each kind: kGroupSize is 1. */
export function blockScaledMatmul(config: MatmulConfig) {
  const { stages } = config;
  const { ctaGroup, cluster, opc } = layOut(config);
  const BN = MMA_N / ctaGroup;
  const tilePayload = new BlockScaledTilePayload({
    a: [BM, BK],
    b: [BN, BK],
    sfa: [BM, SCALES],
    sfb: [MMA_N, SCALES],
    stages,
    slices: cluster[0]!.slices,
  });
  const inputPipeline = new InputTilePipeline('input', tilePayload, { stages });
  const scaleColumns = Array.from({ length: 2 * stages }, () => SCALES);
  const smem = new SmemPipelineBundle({ ...opc, stageStrideCols: MMA_N }, scaleColumns);
  const inputExpectedBytes = ctaGroup * tilePayload.bytes;

  /** Loads of one CTA: scale factors are not multicast. */
  const loads = (ctx: KernelContext) => {
    const [, peerRankM, peerRankN] = ctx.peerCtaCoord;
    const aLoader = new TileLoader(ctx.aMulticastMask, ctaGroup, peerRankN);
    const bLoader = new TileLoader(ctx.bMulticastMask, ctaGroup, peerRankM);
    const scaleLoader = new TileLoader([ctx.cta], ctaGroup);
    return (tiles: ProducerTiles<BlockScaledTilePayload>): void => {
      if (ctx.electOneCta) tiles.expectBytes(inputExpectedBytes);
      const [aTile, bTile, sfaTile, sfbTile] = tiles.payload().getTile(tiles.stage());
      aLoader.load(aTile, tiles.barrier());
      bLoader.load(bTile, tiles.barrier());
      scaleLoader.load(sfaTile, tiles.barrier());
      scaleLoader.load(sfbTile, tiles.barrier());
    };
  };

  /** Copies the scale factors of a stage into its columns, and multiplies with them. */
  const products = (ctx: KernelContext, tmem: TmemAllocation) => {
    const mmaOp = new MmaOpSM100(ctx);
    return (accumulator: TmemStage, inputTiles: ConsumerTiles<BlockScaledTilePayload>): void => {
      const stage = inputTiles.stage();
      const [aTile, bTile, sfaTile, sfbTile] = inputTiles.payload().getTile(stage);
      const [sfa, sfb] = [tmem.extra(stage), tmem.extra(stages + stage)];
      mmaOp.copyScales(sfaTile, sfa);
      mmaOp.copyScales(sfbTile, sfb);
      mmaOp.mma([aTile, bTile], accumulator.tensor, [sfa, sfb]);
      mmaOp.commit(inputTiles.mbar());
    };
  };

  const initBarriers = (ctx: KernelContext): void => {
    inputPipeline.initBarriers(1, ctx.inputConsumers);
    smem.initBarriers();
  };
  return { ctaGroup, cluster, inputPipeline, smem, loads, products, initBarriers };
}
