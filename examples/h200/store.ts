// store: load, compute and store roles, whose bulk stores hold the stages back, as measured.
//
// Shows: bulk stores beside loads, for every row of store.csv:
//   poundlock simulate examples/h200/store.ts --cases bench/h200/store.csv
// Unlike three-role, results leave through the copy engine; `depth` groups of stores stay open.
//
//   role    waits for                         works on              signals
//   load    ab.empty[stage]                   copies a tile         ab.full[stage], by its bytes
//   work    ab.full[stage], out.empty[stage]  spins, writes a tile  out.full[stage], ab.empty
//   store   out.full[stage], its stores       stores the tile       out.empty[stage]
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
  pipeline,
  read,
  role,
  tma,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';
import type { ConsumerStage } from 'poundlock';
import { sharedFor } from './shared-for.ts';
const defaults = {
  source: 'l2',
  ctas: 1,
  stages: 2,
  outStages: 2,
  tileBytes: 16384,
  tiles: 128,
  computeCycles: 300,
  depth: 1,
  storeCycles: 0,
  perSm: 1,
};
export default kernel('store', defaults, (params) => {
  const { source, ctas, stages, outStages, tileBytes, tiles, perSm } = params;
  const { computeCycles, depth, storeCycles } = params;
  launch({ ctas, source });
  const unused = sharedFor(perSm) - (stages + outStages) * tileBytes;
  if (perSm > 1) buffer('unused', { bytes: unused });
  const ab = pipeline('ab', { stages, bytes: tileBytes, advance: 'acquire' });
  const out = pipeline('out', { stages: outStages, bytes: tileBytes, advance: 'acquire' });
  const items = count(tiles);
  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
  });
  const work = role('work', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      const tile = yield* ab.acquireConsumer();
      const slot = yield* out.acquireProducer();
      yield* compute(computeCycles);
      read(tile.buffer());
      write(slot.buffer());
      fence('proxy.async', { space: 'shared' });
      slot.arrive();
      slot.release();
      tile.release();
      return null;
    });
  });
  const store = role('store', { measured: true }, function* () {
    const last = yield* loop<ConsumerStage | null>(null, function* (previous) {
      if (!(yield* items.more())) return end(previous);
      const tile = yield* out.acquireConsumer();
      asyncUse(
        UNITS.bulk,
        storeCycles > 0 ? { reads: tile.buffers, cycles: storeCycles } : { reads: tile.buffers },
      );
      commitGroup(UNITS.bulk);
      yield* waitGroup(UNITS.bulk, depth);
      previous?.release();
      if (depth > 0) return tile;
      tile.release();
      return null;
    });
    yield* waitGroup(UNITS.bulk, 0);
    last?.release();
  });
  return [load, work, store];
});
