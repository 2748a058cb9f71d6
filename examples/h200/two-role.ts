// two-role: the producer and consumer ring that was measured on an NVIDIA H200.
//
// Shows: what `simulate` predicts of a ring, for every row of two_role.csv:
//   poundlock simulate examples/h200/two-role.ts --model h200 --cases bench/h200/two_role.csv
// Unlike three-role, nothing stands behind the consumers.
//
//   role         waits for           works on                        signals
//   producer     ab.empty[stage]     copies a tile, then spins       ab.full[stage], by its bytes
//   consumer<n>  ab.full[stage]      spins, reads the tile           ab.empty[stage], by the scope
import { compute, count, end, kernel, launch, loop, pipeline, read, role, tma } from 'poundlock';

const defaults = {
  source: 'l2',
  ctas: 1,
  consumers: 1,
  stages: 2,
  tileBytes: 8192,
  tiles: 256,
  producerCycles: 0,
  consumerCycles: 500,
};

export default kernel('two-role', defaults, (params) => {
  const { source, ctas, consumers, stages, tileBytes, producerCycles, consumerCycles } = params;
  launch({ ctas, source });
  const ab = pipeline('ab', { stages, bytes: tileBytes, consumers, advance: 'acquire' });
  const tiles = count(params.tiles);

  const producer = role('producer', function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      yield* compute(producerCycles);
      return null;
    });
  });

  const consumer = (n: number) =>
    role(`consumer${n}`, { measured: n === 0 }, function* () {
      yield* loop(null, function* () {
        if (!(yield* tiles.more())) return end(null);
        using tile = yield* ab.consume();
        yield* compute(consumerCycles);
        read(tile.buffer());
        return null;
      });
    });

  return [producer, ...Array.from({ length: consumers }, (_, n) => consumer(n))];
});
