// tensormap: the ring of two-role with copies through a tensor map, as measured.
//
// Shows: what boxes of a matrix cost beside ranges of bytes, for every row of tensormap.csv:
//   poundlock simulate examples/h200/tensormap.ts --cases bench/h200/tensormap.csv
// Unlike two-role, a stage is filled by `copies` copies of a box of 64 columns each.
//
//   role       waits for           works on               signals
//   producer   ab.empty[stage]     copies the boxes       ab.full[stage], by their bytes
//   consumer   ab.full[stage]      spins, reads the tile  ab.empty[stage]
import { compute, count, end, kernel, launch, loop, pipeline, read, role, tma } from 'poundlock';
const defaults = {
  source: 'l2',
  ctas: 1,
  stages: 2,
  tileBytes: 8192,
  copies: 1,
  tiles: 128,
  consumerCycles: 0,
};
export default kernel(
  'tensormap',
  defaults,
  ({ source, ctas, stages, tileBytes, copies, tiles, consumerCycles }) => {
    launch({ ctas, source, copies: 'tensor' });
    const bytes = Object.fromEntries(
      Array.from({ length: copies }, (_, i) => [`p${i}`, tileBytes]),
    );
    const ab = pipeline('ab', { stages, bytes, advance: 'acquire' });
    const items = count(tiles);
    const producer = role('producer', function* () {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        using slot = yield* ab.produce();
        tma.load(slot);
        return null;
      });
    });
    const consumer = role('consumer', { measured: true }, function* () {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        using tile = yield* ab.consume();
        yield* compute(consumerCycles);
        for (const part of tile.buffers) read(part);
        return null;
      });
    });
    return [producer, consumer];
  },
);
