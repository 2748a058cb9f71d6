// A compiler splits a loop into a producer and consumers, and all copies stay with the consumers,
// behind a guard that none of their threads satisfies.
// The check whether a loop can be split looked deeper than the split itself. For a fused kernel
// with one more loop around its body the producer warp was left empty. The copies were in the
// consumers' branch under threadIdx.x == 0, and thread 0 is in the producer warp.
// The fix: run the split as a trial, and do not specialize where no copy gets to the producer.
// https://github.com/cloudrift-ai/emmy/pull/217
import { kernel, pipeline, read, role, tma } from 'poundlock';

const WARP = 32;

export default kernel('fused-mlp', { fixed: false, steps: 2 }, ({ fixed, steps }) => {
  const isSpecialized = !fixed;
  const bundle = pipeline('bundle', { stages: 2, bytes: 8192 });

  const producer = role('producer', { lanes: WARP }, function* () {
    // the split found no copies
  });

  const consumer = role('consumer', { lanes: 256 }, function* () {
    const firstThread = isSpecialized ? WARP : 0;
    for (let k = 0; k < steps; k++) {
      if (firstThread === 0) {
        using slot = yield* bundle.produce();
        tma.load(slot);
      }
      using tile = yield* bundle.consumeExplicit();
      read(tile.buffer());
      tile.arrive({ lanes: 1 });
    }
  });

  return isSpecialized ? [producer, consumer] : [consumer];
});
