// multicast: clusters of two CTAs that share the tiles of B, as measured.
//
// Shows: multicast copies and arrivals at another CTA, for every row of multicast.csv:
//   poundlock simulate examples/h200/multicast.ts --cases bench/h200/multicast.csv
// Unlike two-role, a stage is empty when the consumers of both CTAs have released it.
//
//   role           waits for         works on                          signals
//   producer<cta>  ab.empty[stage]   copies A, and half of B to both   ab.full[stage] of both
//   consumer<cta>  ab.full[stage]    spins, reads the tiles            ab.empty[stage] of both
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
  syncCluster,
  tma,
} from 'poundlock';
const defaults = {
  source: 'l2',
  ctas: 2,
  stages: 2,
  aBytes: 8192,
  bBytes: 8192,
  tiles: 128,
  consumerCycles: 0,
};
export default kernel(
  'multicast',
  defaults,
  ({ source, ctas, stages, aBytes, bBytes, tiles, consumerCycles }) => {
    launch({ ctas, source });
    const half = bBytes / 2;
    const ab = pipeline('ab', {
      stages,
      bytes: { a: aBytes, b0: half, b1: half },
      consumers: 2,
      advance: 'acquire',
    });
    const items = count(tiles);
    const producer = (cta: number) =>
      role(`producer${cta}`, { cta }, function* () {
        yield* loop(null, function* () {
          if (!(yield* items.more())) return end(null);
          const slot = yield* ab.acquireProducer();
          tma.expect(slot);
          tma.copy(slot, 0);
          tma.copy(slot, 1 + cta, { ctas: [0, 1] });
          slot.release();
          return null;
        });
        yield* syncCluster();
      });
    const consumer = (cta: number) =>
      role(`consumer${cta}`, { cta, measured: cta === 0 }, function* () {
        yield* loop(null, function* () {
          if (!(yield* items.more())) return end(null);
          const tile = yield* ab.acquireConsumer();
          yield* compute(consumerCycles);
          for (const part of tile.buffers) read(part);
          arrive(tile.mbar(), { cta: 1 - cta });
          tile.release();
          return null;
        });
        yield* syncCluster();
      });
    return [producer(0), producer(1), consumer(0), consumer(1)];
  },
);
