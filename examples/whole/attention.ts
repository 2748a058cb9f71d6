// attention: two warpgroups take turns at the tensor core, as measured by bench/cuda.
//
// Shows: a program that no model is fitted to, and how well its times are predicted:
//   poundlock simulate examples/whole/attention.ts --model h100 --cases bench/h100/attention.csv
// With `pingPong` one warpgroup multiplies while the other does its softmax: named barrier 1 + w
// is the turn of warpgroup w.
//
//   role          waits for                          works on                      signals
//   load          k.empty[stage], v.empty[stage]     copies a tile of K, then V    their full[stage]
//   warpgroup<w>  k.full[stage], its turn,           Q · K of m64n128, a spin in   k.empty, the other's
//                 then v.full[stage]                 place of softmax, P · V       turn, v.empty
import { arriveNamed, asyncUse, compute, count, end, kernel, launch, loop, mma } from 'poundlock';
import { namedBarrier, pipeline, role, syncNamed, tma, UNITS, type Buffer } from 'poundlock';

/** Threads of a warpgroup, which all wait and all release. */
const LANES = 128;
/** A tile is 128 rows of K or V, of 16-bit elements. */
const ROWS = 128;
/** Elements of K of one wgmma. */
const DEPTH = 16;

const defaults = {
  source: 'l2',
  ctas: 1,
  headDim: 128,
  stages: 2,
  kvBlocks: 128,
  softmaxCycles: 500,
  pingPong: 1,
};

export default kernel('attention', defaults, (params) => {
  const { source, ctas, headDim, stages, kvBlocks, softmaxCycles } = params;
  const pingPong = params.pingPong === 1;
  launch({ ctas, source });
  const options = { stages, bytes: ROWS * headDim * 2, consumers: 2 * LANES } as const;
  const k = pipeline('k', { ...options, advance: 'acquire' });
  const v = pipeline('v', { ...options, advance: 'acquire' });
  const turns = [1, 2].map((id) => namedBarrier(`turn${id - 1}`, { id, threads: 2 * LANES }));
  const blocks = count(kvBlocks);
  const multiply = (tile: { readonly buffers: readonly Buffer[] }, times: number, n: number) => {
    const { buffers: reads } = tile;
    for (let i = 0; i < times; i++) asyncUse(UNITS.mma, { reads, cycles: n / 2 });
    mma.commitGroup();
  };

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* blocks.more())) return end(null);
      {
        using slot = yield* k.produce();
        tma.load(slot);
      }
      using slot = yield* v.produce();
      tma.load(slot);
      return null;
    });
  });

  const warpgroup = (w: number) =>
    role(`warpgroup${w}`, { measured: w === 0, lanes: LANES }, function* () {
      if (pingPong && w === 1) arriveNamed(turns[0]!);
      for (let block = 0; block < kvBlocks; block++) {
        const keys = yield* k.acquireConsumer();
        if (pingPong) yield* syncNamed(turns[w]!);
        multiply(keys, headDim / DEPTH, ROWS);
        yield* mma.waitGroup(0);
        keys.release();
        if (pingPong && (w === 0 || block + 1 < kvBlocks)) arriveNamed(turns[1 - w]!);
        yield* compute(softmaxCycles);
        const values = yield* v.acquireConsumer();
        multiply(values, ROWS / DEPTH, headDim);
        yield* mma.waitGroup(0);
        values.release();
      }
    });

  return [load, warpgroup(0), warpgroup(1)];
});
