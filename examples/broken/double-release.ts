// Bug: the last tile is released twice, once in its round and once more after the loop.
// On hardware: the second release arrives on `empty` for a stage that is being filled again, or
// ends a phase that was not consumed; the ring is off by one from then on.
// Fix: release a handle where it is last used, once.
import { kernel, mma, pipeline, role, tma, type ConsumerStage } from 'poundlock';

export default kernel('double-release', { stages: 2, tiles: 1 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    let last: ConsumerStage | undefined;
    for (let k = 0; k < tiles; k++) {
      const tile = yield* ab.acquireConsumer();
      mma.issue(tile);
      yield* mma.waitGroup(0);
      tile.release();
      last = tile;
    }
    last?.release();
  });

  return [load, multiply];
});
