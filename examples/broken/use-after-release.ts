// Bug: the second MMA of a tile is issued after the tile was released.
// On hardware: the stage is already being filled with the next tile, so the second MMA multiplies
// a mixture of both.
// Fix: release after the last use.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('use-after-release', { stages: 2, tiles: 1 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const slot = yield* ab.acquireProducer();
      tma.load(slot);
      slot.release();
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    for (let k = 0; k < tiles; k++) {
      const tile = yield* ab.acquireConsumer();
      mma.issue(tile); // the upper half
      yield* mma.waitGroup(0);
      tile.release();
      mma.issue(tile); // the lower half
      yield* mma.waitGroup(0);
    }
  });

  return [load, multiply];
});
