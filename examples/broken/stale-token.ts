// Bug: the mma role tries once whether a tile is ready, and uses the result for every tile.
// On hardware: the result of try_wait is a plain boolean. It was true for stage 0; for stage 1 the
// wait is skipped as well, and the MMA multiplies data that the copy has not written yet.
// Fix: try inside the loop, after the step.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('stale-token', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    const ready = yield* ab.tryWaitProducer();
    for (let k = 0; k < tiles; k++) {
      const stage = yield* ab.waitProducerIfNeeded(ready);
      mma.commit(ab.consumerMbar(stage));
      ab.consumerStep();
    }
  });

  return [load, multiply];
});
