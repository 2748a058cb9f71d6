// What a blockwise FP8 matmul is made of, for both of its texts: scales of A, and who frees them.
import { read } from 'poundlock';
import {
  BlockwiseFP8TilePayload,
  InputTilePipeline,
  MmaOpSM100,
  SmemPipelineBundle,
  TileLoader,
  type EpilogueKStage,
  type InputConsumerStage,
  type InputProducerStage,
  type KernelContext,
  type TmemStage,
} from 'poundlock/sm100';
import type { ConsumerTiles, ProducerTiles } from 'poundlock/sm100';
import { BM, BN, layOut, type MatmulConfig } from './config.ts';

const BK = 128; // elements of a byte: one scale for each of them
const EPILOGUE_WARPS = 4;

type Filling = ProducerTiles<BlockwiseFP8TilePayload> | InputProducerStage<BlockwiseFP8TilePayload>;
type Reading = ConsumerTiles<BlockwiseFP8TilePayload> | InputConsumerStage<BlockwiseFP8TilePayload>;

/** Declares the shared memory of every CTA. */
export function blockwiseFp8Matmul(config: MatmulConfig) {
  const { stages } = config;
  const { ctaGroup, cluster, opc } = layOut(config);
  const tilePayload = new BlockwiseFP8TilePayload({
    a: [BM, BK],
    b: [BN, BK],
    aScales: [1, BM],
    stages,
    slices: cluster[0]!.slices,
  });
  const inputPipeline = new InputTilePipeline('input', tilePayload, { stages });
  const smem = new SmemPipelineBundle(opc);
  const inputExpectedBytes = ctaGroup * tilePayload.bytes;
  const arrivingThreads = EPILOGUE_WARPS * cluster.length; // lanes below the cluster's size

  /** Loads of one CTA: the scales of A are its own. */
  const loads = (ctx: KernelContext) => {
    const [, peerRankM, peerRankN] = ctx.peerCtaCoord;
    const aLoader = new TileLoader(ctx.aMulticastMask, ctaGroup, peerRankN);
    const bLoader = new TileLoader(ctx.bMulticastMask, ctaGroup, peerRankM);
    const aScalesLoader = new TileLoader([ctx.cta], ctaGroup);
    return (tiles: Filling): void => {
      if (ctx.electOneCta) tiles.expectBytes(inputExpectedBytes);
      const [aTile, bTile, aScalesTile] = tiles.payload().getTile(tiles.stage());
      aLoader.load(aTile, tiles.barrier());
      bLoader.load(bTile, tiles.barrier());
      aScalesLoader.load(aScalesTile, tiles.barrier());
    };
  };

  /** One k step: the accumulator starts anew, since the epilogue adds the scaled products up. */
  const products = (ctx: KernelContext) => {
    const mmaOp = new MmaOpSM100(ctx);
    return (accumulator: TmemStage, inputTiles: Reading): void => {
      const [aTile, bTile] = inputTiles.payload().getTile(inputTiles.stage());
      mmaOp.mma([aTile, bTile], accumulator.tensor);
      mmaOp.commit(inputTiles.mbar());
    };
  };

  /** Adds one scaled partial product to the registers; the scales are freed as soon as read. */
  const promote = function* (kStage: EpilogueKStage) {
    const aScales = tilePayload.getAScalesTile(kStage.inputStageIndex);
    for (const slice of aScales.slices) read(slice);
    kStage.arriveInput(arrivingThreads);
    const { tmem } = kStage.outputStage;
    tmem.loadUpper();
    tmem.loadLower();
    yield* tmem.waitLoad();
    tmem.useFragments();
  };

  const initBarriers = (ctx: KernelContext): void => {
    inputPipeline.initBarriers(1, ctx.inputConsumers + arrivingThreads);
    smem.initBarriers();
  };
  return { cluster, inputPipeline, smem, loads, products, promote, initBarriers };
}
