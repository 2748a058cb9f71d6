// A warp-specialized loop with an MMA that has a scale operand, and a user of its result in the
// same loop, hangs.
// The thread has no more than this and a test. Modeled here: the partition that uses the result
// brings the scales as well, and the MMA partition announces a result only after it has the scales
// of the next step. So each partition waits for the other.
// The fix, one line in the pass; here: announce the result in the step that computes it.
// https://github.com/triton-lang/triton/pull/6758
import {
  arrive,
  barrier,
  buffer,
  fence,
  kernel,
  mma,
  pipeline,
  read,
  role,
  tma,
  wait,
  write,
} from 'poundlock';

export default kernel('scaled-dot', { fixed: false, steps: 2 }, ({ fixed, steps }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 32_768 });
  const scales = pipeline('scales', { stages: 1, bytes: 1024 });
  const resultFull = barrier('resultFull');
  const resultEmpty = barrier('resultEmpty');
  const accumulator = buffer('accumulator');

  const load = role('load', function* () {
    for (let k = 0; k < steps; k++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    for (let k = 0; k < steps; k++) {
      using scale = yield* scales.consumeExplicit();
      if (!fixed && k > 0) mma.commit(resultFull); // for the step before
      yield* wait(resultEmpty, k - 1);
      using operands = yield* ab.consumeExplicit();
      mma.issue([operands, scale], [accumulator]);
      mma.commit(operands.mbar());
      mma.commit(scale.mbar());
      if (fixed) mma.commit(resultFull);
    }
    if (!fixed && steps > 0) mma.commit(resultFull);
    yield* mma.waitGroup(0);
  });

  const user = role('user', function* () {
    for (let k = 0; k < steps; k++) {
      {
        using slot = yield* scales.produce();
        write(slot.buffer());
        fence('proxy.async');
        slot.arrive();
      }
      yield* wait(resultFull, k);
      read(accumulator);
      arrive(resultEmpty);
    }
    yield* scales.drain();
  });

  return [load, multiply, user];
});
