// chain: four roles in a row with a ring between each pair, as measured by bench/cuda.
//
// Shows: a program that no model is fitted to, and how well its times are predicted:
//   poundlock simulate examples/whole/chain.ts --model h100 --cases bench/h100/chain.csv
//
//   role    waits for                                    works on        signals
//   load    ab.empty[stage]                              copies a tile   ab.full[stage], by its bytes
//   first   ab.full[stage], then one.empty[stage]        spins           one.full, then ab.empty
//   second  one.full[stage], then two.empty[stage]       spins           two.full, then one.empty
//   third   two.full[stage]                              spins           two.empty[stage]
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

export default kernel('chain', defaults, (params) => {
  const { source, ctas, stages, tileBytes } = params;
  launch({ ctas, source });
  const ab = pipeline('ab', { stages, bytes: tileBytes, advance: 'acquire' });
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

  const first = role('first', function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      const tile = yield* ab.acquireConsumer();
      const slot = yield* one.acquireProducer();
      yield* compute(params.firstCycles);
      read(tile.buffer());
      slot.arrive();
      slot.release();
      tile.release();
      return null;
    });
  });

  const second = role('second', function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      const item = yield* one.acquireConsumer();
      const slot = yield* two.acquireProducer();
      yield* compute(params.secondCycles);
      slot.arrive();
      slot.release();
      item.release();
      return null;
    });
  });

  const third = role('third', { measured: true }, function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      const item = yield* two.acquireConsumer();
      yield* compute(params.thirdCycles);
      item.release();
      return null;
    });
  });

  return [load, first, second, third];
});
