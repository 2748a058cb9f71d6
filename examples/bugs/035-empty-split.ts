// The last split of a split-K GEMM has no K tiles, and the MMA role waits for its first tile before
// it looks at the loop bound.
// The first K step is peeled off the MMA's loop, so its wait is unconditional. The loop of the load
// role runs from 0 to 0 and loads nothing. That happens whenever cdiv(tiles, splits) x (splits - 1)
// is at least the number of tiles, here 1 x 2 of 2.
// The fix: load, MMA and epilogue all skip a split without tiles.
// https://github.com/facebookexperimental/triton/pull/1141
import { buffer, kernel, mma, pipeline, read, role, tma } from 'poundlock';

const defaults = { fixed: false, kTiles: 2, splits: 3 };

export default kernel('split-k-gemm', defaults, ({ fixed, kTiles, splits }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 32_768 });
  const acc = pipeline('acc', { stages: 1 });
  const accumulator = buffer('accumulator');
  const each = Math.ceil(kTiles / splits);
  const ranges = Array.from({ length: splits }, (_, split) => {
    const begin = Math.min(split * each, kTiles);
    return { begin, end: Math.min(begin + each, kTiles) };
  });
  const work = fixed ? ranges.filter(({ begin, end }) => end > begin) : ranges;

  const load = role('load', function* () {
    for (const { begin, end } of work) {
      for (let k = begin; k < end; k++) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
    }
    yield* ab.drain();
  });

  const step = function* () {
    using operands = yield* ab.consumeExplicit();
    mma.issue(operands, [accumulator]);
    mma.commit(operands.mbar());
  };

  const multiply = role('mma', function* () {
    for (const { begin, end } of work) {
      using out = yield* acc.produce();
      yield* step(); // the first one, which clears the accumulator
      for (let k = begin + 1; k < end; k++) yield* step();
      mma.commit(out.mbar());
    }
    yield* mma.waitGroup(0);
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let split = 0; split < work.length; split++) {
      using done = yield* acc.consumeExplicit();
      read(accumulator);
      done.arrive({ lanes: 1 });
    }
  });

  return [load, multiply, epilogue];
});
