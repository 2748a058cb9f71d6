// Bug: the loop returns its last tile, which is never released.
// On hardware: the stage is never signalled empty, so the load warp hangs in its drain; without a
// drain the next kernel that shares the barriers does.
// Fix: last?.release() at the end of mma.
import { count, end, kernel, loop, mma, pipeline, role, tma, type ConsumerStage } from 'poundlock';

export default kernel('forgotten-handle', { stages: 2, tiles: 1 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768, advance: 'acquire' });
  const items = count(tiles);

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    yield* loop<ConsumerStage | null>(null, function* (previous) {
      if (!(yield* items.more())) return end(previous);
      const tile = yield* ab.acquireConsumer();
      mma.issue(tile);
      yield* mma.waitGroup(1);
      previous?.release();
      return tile;
    });
    yield* mma.waitGroup(0);
  });

  return [load, multiply];
});
