// diamond: two roles share the tiles, and a third waits for both, as measured by bench/cuda.
//
// Shows: a program that no model is fitted to, and how well its times are predicted:
//   poundlock simulate examples/whole/diamond.ts --model h100 --cases bench/h100/diamond.csv
//
//   role           waits for                                    works on        signals
//   load           ab.empty[stage], of two releases             copies a tile   ab.full[stage]
//   first, second  ab.full[stage], then own empty[stage]        spins           own full, ab.empty
//   third          first.full[stage], then second.full[stage]   spins           both empty[stage]
import { compute, count, end, kernel, launch, loop, pipeline, read, role, tma } from 'poundlock';

const defaults = {
  source: 'l2',
  ctas: 1,
  stages: 2,
  tileBytes: 16_384,
  tiles: 128,
  firstCycles: 300,
  secondCycles: 300,
  thirdCycles: 300,
};

export default kernel('diamond', defaults, (params) => {
  const { source, ctas, stages, tileBytes } = params;
  launch({ ctas, source });
  const ab = pipeline('ab', { stages, bytes: tileBytes, consumers: 2, advance: 'acquire' });
  const one = pipeline('one', { stages, advance: 'acquire' });
  const two = pipeline('two', { stages, advance: 'acquire' });
  const tiles = count(params.tiles);

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
  });

  const side = (name: string, ring: typeof one, cycles: number) =>
    role(name, function* () {
      yield* loop(null, function* () {
        if (!(yield* tiles.more())) return end(null);
        const tile = yield* ab.acquireConsumer();
        const slot = yield* ring.acquireProducer();
        yield* compute(cycles);
        read(tile.buffer());
        slot.arrive();
        slot.release();
        tile.release();
        return null;
      });
    });

  const third = role('third', { measured: true }, function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      const left = yield* one.acquireConsumer();
      const right = yield* two.acquireConsumer();
      yield* compute(params.thirdCycles);
      left.release();
      right.release();
      return null;
    });
  });

  return [
    load,
    side('first', one, params.firstCycles),
    side('second', two, params.secondCycles),
    third,
  ];
});
