// release-order: one consumer of two rings, which gives A back early or late, as measured.
//
// Shows: what scoped and linear release cost, for every row of release_order.csv:
//   poundlock simulate examples/h200/release-order.ts --cases bench/h200/release_order.csv
// Unlike two-role, one role holds stages of two rings: with `order` scoped they are released in
// the reverse order of their acquires, with `order` linear as soon as each is used.
//
//   role       waits for                        works on              signals
//   loadA      a.empty[stage]                   copies a tile of A    a.full[stage], by its bytes
//   loadB      b.empty[stage]                   copies a tile of B    b.full[stage], by its bytes
//   consumer   a.full[stage], b.full[stage]     A, then B             a.empty, b.empty
import { compute, count, end, kernel, launch, loop, pipeline, read, role, tma } from 'poundlock';

const defaults = {
  source: 'l2',
  aStages: 2,
  aBytes: 32_768,
  bStages: 2,
  bBytes: 8192,
  tiles: 256,
  useACycles: 200,
  useBCycles: 400,
  order: 'scoped',
};

export default kernel('release-order', defaults, (params) => {
  const { source, aStages, aBytes, bStages, bBytes, useACycles, useBCycles, order } = params;
  launch({ source });
  const a = pipeline('a', { stages: aStages, bytes: aBytes, advance: 'acquire' });
  const b = pipeline('b', { stages: bStages, bytes: bBytes, advance: 'acquire' });
  const tiles = count(params.tiles);
  const isLinear = order === 'linear';

  const load = (name: string, ring: typeof a) =>
    role(name, function* () {
      yield* loop(null, function* () {
        if (!(yield* tiles.more())) return end(null);
        using slot = yield* ring.produce();
        tma.load(slot);
        return null;
      });
    });

  const consumer = role('consumer', { measured: true }, function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      const one = yield* a.acquireConsumer();
      const other = yield* b.acquireConsumer();
      yield* compute(useACycles);
      read(one.buffer());
      if (isLinear) one.release();
      yield* compute(useBCycles);
      read(other.buffer());
      other.release();
      if (!isLinear) one.release();
      return null;
    });
  });

  return [load('loadA', a), load('loadB', b), consumer];
});
