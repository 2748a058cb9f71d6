// The epilogue's load warp waits at the load-order barrier for every tile, and the main load warp
// arrives there once.
// The barrier keeps the loads of C behind the first loads of A and B. It is meant for the start of
// the kernel: from the second tile on nothing arrives any more, and the epilogue never gets its C.
// The fix here: wait before the first tile only.
// https://github.com/NVIDIA/cutlass/pull/2172
import { arrive, barrier, kernel, mma, pipeline, read, role, tma, wait } from 'poundlock';

export default kernel('load-order', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 32_768 });
  const c = pipeline('c', { stages: 1, bytes: 16_384 });
  const loadOrder = barrier('loadOrder');

  const mainLoad = role('mainLoad', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
      if (tile === 0) arrive(loadOrder);
    }
    yield* ab.drain();
  });

  const epilogueLoad = role('epilogueLoad', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      if (tile === 0 || !fixed) yield* wait(loadOrder, tile);
      using slot = yield* c.produce();
      tma.load(slot);
    }
    yield* c.drain();
  });

  const math = role('math', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      {
        using operands = yield* ab.consume();
        mma.issue(operands);
        yield* mma.waitGroup(0);
      }
      using old = yield* c.consume();
      read(old.buffer());
    }
  });

  return [mainLoad, epilogueLoad, math];
});
