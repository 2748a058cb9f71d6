// gemm: a persistent matrix product with an epilogue and a bulk store, as measured by bench/cuda.
//
// Shows: a program that no model is fitted to, and how well its times are predicted:
//   poundlock simulate examples/whole/gemm.ts --model h100 --cases bench/h100/gemm.csv
// Two warpgroups share B and release hand over hand; each stores its output tile of m64nN and
// waits for the store before only when it has the next tile.
//
//   role          waits for                     works on                          signals
//   load          ab.empty[stage]               copies two tiles of A, one of B   ab.full[stage]
//   warpgroup<w>  ab.full[stage], its groups,   4 wgmma of m64nNk16, a spin in    ab.empty of the
//                 its store of the last tile    place of the epilogue, a store    stage before
import {
  asyncUse,
  buffer,
  commitGroup,
  compute,
  count,
  end,
  fence,
  kernel,
  launch,
  loop,
} from 'poundlock';
import { mma, pipeline, role, tma, UNITS, waitGroup, write } from 'poundlock';
import type { Buffer, ConsumerStage } from 'poundlock';

/** A k-block of 64 is four wgmma of m64nNk16, each of which takes N / 2 cycles. */
const WGMMAS = 4;
/** 64 rows or columns of 64 elements of 2 bytes. */
const A_TILE_BYTES = 8192;
const B_ROW_BYTES = 128;
/** Threads of a warpgroup, which all wait and all release. */
const LANES = 128;

const defaults = {
  source: 'l2',
  ctas: 1,
  mmaN: 128,
  stages: 4,
  kBlocks: 32,
  tiles: 8,
  epilogueCycles: 500,
};

export default kernel('persistent-gemm', defaults, (params) => {
  const { source, ctas, mmaN, stages, kBlocks, tiles, epilogueCycles } = params;
  launch({ ctas, source });
  const bytes = { a0: A_TILE_BYTES, a1: A_TILE_BYTES, b: mmaN * B_ROW_BYTES };
  const ab = pipeline('ab', { stages, bytes, consumers: 2 * LANES, advance: 'acquire' });
  const outs = [0, 1].map((w) => buffer(`out${w}`, { bytes: 64 * mmaN * 2 }));
  const blocks = count(kBlocks * tiles);
  const multiply = (tile: { readonly buffers: readonly Buffer[] }) => {
    const { buffers: reads } = tile;
    for (let i = 0; i < WGMMAS; i++) asyncUse(UNITS.mma, { reads, cycles: mmaN / 2 });
    mma.commitGroup();
  };

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* blocks.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
  });

  const warpgroup = (w: number) =>
    role(`warpgroup${w}`, { measured: w === 0, lanes: LANES }, function* () {
      const out = outs[w]!;
      for (let tile = 0; tile < tiles; tile++) {
        let last: ConsumerStage | null = null;
        for (let block = 0; block < kBlocks; block++) {
          const stage = yield* ab.acquireConsumer();
          multiply(stage);
          yield* mma.waitGroup(1);
          last?.release();
          last = stage;
        }
        yield* mma.waitGroup(0);
        last?.release();
        yield* compute(epilogueCycles);
        yield* waitGroup(UNITS.bulk, 0);
        write(out);
        fence('proxy.async', { space: 'shared' });
        asyncUse(UNITS.bulk, { reads: [out] });
        commitGroup(UNITS.bulk);
      }
      yield* waitGroup(UNITS.bulk, 0);
    });

  return [load, warpgroup(0), warpgroup(1)];
});
