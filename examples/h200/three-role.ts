// three-role: load, multiply and store roles with two rings, as measured on an NVIDIA H200.
//
// Shows: a ring of tiles in front of a ring of accumulators, for every row of three_role.csv:
//   poundlock simulate examples/h200/three-role.ts --model h200 --cases bench/h200/three_role.csv
// Unlike two-role, the consumer is itself a producer: it waits for an accumulator to be free.
//
//   role      waits for                           works on            signals
//   load      ab.empty[stage]                     copies a tile       ab.full[stage], by its bytes
//   mma       accum.empty[stage], then kSteps     spins for each      ab.empty[stage] for each,
//             times ab.full[stage]                                    then accum.full[stage]
//   epilogue  accum.full[stage]                   spins               accum.empty[stage]
import { compute, count, end, kernel, launch, loop, pipeline, read, role, tma } from 'poundlock';

const defaults = {
  source: 'l2',
  stages: 4,
  tileBytes: 8192,
  kSteps: 4,
  outputTiles: 24,
  accumStages: 2,
  mmaCycles: 400,
  epilogueCycles: 2000,
};

export default kernel('three-role', defaults, (params) => {
  const { source, stages, tileBytes, kSteps, outputTiles, accumStages } = params;
  const { mmaCycles, epilogueCycles } = params;
  launch({ source });
  const ab = pipeline('ab', { stages, bytes: tileBytes, advance: 'acquire' });
  const accum = pipeline('accum', { stages: accumStages, advance: 'acquire' });
  const tiles = count(outputTiles * kSteps, 'tiles');
  const outputs = count(outputTiles, 'outputs');

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
  });

  const mma = role('mma', function* () {
    yield* loop(null, function* () {
      if (!(yield* outputs.more())) return end(null);
      using sum = yield* accum.produce();
      yield* loop(0, function* (step) {
        if (step === kSteps) return end(null);
        using tile = yield* ab.consume();
        yield* compute(mmaCycles);
        read(tile.buffer());
        return step + 1;
      });
      sum.arrive();
      return null;
    });
  });

  const epilogue = role('epilogue', { measured: true }, function* () {
    yield* loop(null, function* () {
      if (!(yield* outputs.more())) return end(null);
      using _sum = yield* accum.consume();
      yield* compute(epilogueCycles);
      return null;
    });
  });

  return [load, mma, epilogue];
});
