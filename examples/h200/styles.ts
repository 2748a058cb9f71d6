// styles: the ring of two-role in the style of CUTLASS, as measured.
//
// Shows: lanes, warps and warpgroups that wait, for every row of styles.csv:
//   poundlock simulate examples/h200/styles.ts --cases bench/h200/styles.csv
// Unlike two-role, `lanes` threads wait together, and one elected lane copies or arrives.
//
//   role       waits for           works on               signals
//   producer   ab.empty[stage]     copies a tile          ab.full[stage], by its bytes
//   consumer   ab.full[stage]      spins, reads the tile  ab.empty[stage], by one lane
import {
  arrive,
  compute,
  count,
  end,
  kernel,
  launch,
  loop,
  pipeline,
  read,
  role,
  tma,
} from 'poundlock';
const defaults = {
  source: 'l2',
  ctas: 1,
  lanes: 32,
  stages: 4,
  tileBytes: 16384,
  tiles: 128,
  consumerCycles: 0,
};
export default kernel(
  'styles',
  defaults,
  ({ source, ctas, lanes, stages, tileBytes, tiles, consumerCycles }) => {
    launch({ ctas, source });
    const ab = pipeline('ab', { stages, bytes: tileBytes, advance: 'acquire' });
    const items = count(tiles);
    const producer = role('producer', { lanes: lanes === 1 ? 1 : 32 }, function* () {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        using slot = yield* ab.produce();
        tma.load(slot);
        return null;
      });
    });
    const consumer = role('consumer', { measured: true, lanes }, function* () {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        using tile = yield* ab.consumeExplicit();
        yield* compute(consumerCycles);
        read(tile.buffer());
        arrive(tile.mbar());
        return null;
      });
    });
    return [producer, consumer];
  },
);
