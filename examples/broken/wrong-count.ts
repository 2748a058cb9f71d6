// Bug: the empty barriers expect two consumers, and the kernel has one.
// On hardware: no stage is ever released; the kernel hangs as soon as the ring is full.
// Fix: consumers: 1, or the number of arriving threads.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('wrong-count', { consumers: 2, tiles: 2 }, ({ consumers, tiles }) => {
  const ab = pipeline('ab', { stages: 1, bytes: 32_768, consumers });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    for (let k = 0; k < tiles; k++) {
      using tile = yield* ab.consume();
      mma.issue(tile);
      yield* mma.waitGroup(0);
    }
  });

  return [load, multiply];
});
