// Bug: the mma role takes two tiles at a time from a ring whose counter moves at release.
// On hardware: the second acquire waits for the same stage and passes immediately, so both handles
// are one tile: it is multiplied twice, released twice, and the next stage is skipped.
// Fix: advance: 'acquire', as CuTe DSL does, or release the first tile before the second is taken.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('double-acquire', { stages: 2, pairs: 1 }, ({ stages, pairs }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768, advance: 'release' });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2 * pairs; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    for (let pair = 0; pair < pairs; pair++) {
      const left = yield* ab.acquireConsumer();
      const right = yield* ab.acquireConsumer();
      mma.issue([left, right]);
      yield* mma.waitGroup(0);
      left.release();
      right.release();
    }
  });

  return [load, multiply];
});
