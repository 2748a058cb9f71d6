// waves: the ring of two-role in a launch of more CTAs than there are SMs, as measured by bench/cuda.
//
// Shows: how shared memory decides how many CTAs an SM holds, and in how many waves a launch runs:
//   poundlock simulate examples/h200/waves.ts --model h100 --cases bench/h100/waves.csv
// Each CTA takes so much shared memory that `perSm` of them fit. The cycles of a row are those of its
// median CTA, which `simulate --json` calls `waveCycles`; the launch takes `totalCycles`.
//
//   role       waits for           works on                        signals
//   producer   ab.empty[stage]     copies a tile                   ab.full[stage], by its bytes
//   consumer   ab.full[stage]      spins, reads the tile           ab.empty[stage], by the scope
import { buffer, compute, count, end, kernel, launch, loop, pipeline, read } from 'poundlock';
import { role, tma } from 'poundlock';
import { sharedFor } from './shared-for.ts';

const defaults = {
  source: 'l2',
  perSm: 2,
  ctas: 264,
  stages: 2,
  tileBytes: 8192,
  tiles: 32,
  consumerCycles: 0,
};

export default kernel('waves', defaults, (params) => {
  const { source, perSm, ctas, stages, tileBytes, consumerCycles } = params;
  launch({ ctas, source });
  const ab = pipeline('ab', { stages, bytes: tileBytes, advance: 'acquire' });
  const bytes = sharedFor(perSm) - stages * tileBytes;
  if (bytes > 0) buffer('unused', { bytes });
  const tiles = count(params.tiles);

  const producer = role('producer', function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
  });

  const consumer = role('consumer', { measured: true }, function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      using tile = yield* ab.consume();
      yield* compute(consumerCycles);
      read(tile.buffer());
      return null;
    });
  });

  return [producer, consumer];
});
