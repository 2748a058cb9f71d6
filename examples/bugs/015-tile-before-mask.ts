// The consumer waits for the operands before it has the mask that says whether there are any.
// Block-sparse GEMM on Hopper: a block is loaded only where its mask is set, and the mask is a
// loaded value, too. The compiler put the waits of the consumer in the wrong order around such a
// branch; for a block that is masked out the consumer waits for a copy that is never issued.
// The fix here: wait for the mask, branch, and then wait for the operands.
// https://github.com/tile-ai/tilelang/issues/374
import { cell, choose, kernel, load, mma, pipeline, role, store, tma } from 'poundlock';

export default kernel('block-sparse-gemm', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  const masks = pipeline('masks', { stages: 1 });
  const ab = pipeline('ab', { stages: 1, bytes: 32_768 });
  const mask = cell('mask');

  const producer = role('producer', function* () {
    for (let k = 0; k < blocks; k++) {
      const isSet = yield* choose(2);
      {
        using slot = yield* masks.produce();
        store(mask, isSet);
        slot.arrive();
      }
      if (isSet === 0) continue;
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* masks.drain();
    yield* ab.drain();
  });

  const nextMask = function* () {
    using _found = yield* masks.consume();
    return yield* load(mask);
  };

  const consumer = role('consumer', function* () {
    for (let k = 0; k < blocks; k++) {
      if (!fixed) yield* ab.waitProducer();
      if ((yield* nextMask()) === 0) continue;
      using operands = yield* ab.consume();
      mma.issue(operands);
      yield* mma.waitGroup(0);
    }
  });

  return [producer, consumer];
});
