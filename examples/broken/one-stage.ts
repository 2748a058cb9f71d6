// Bug: hand over hand on a ring of one stage: a tile is released only after the next was taken.
// On hardware: the first tile is never released, both warps wait for each other: a hang.
// Fix: two stages or more.
import { count, end, kernel, loop, role, pipeline, tma, mma, type ConsumerStage } from 'poundlock';

// the stage before the newest is still read by the MMA in flight: nested scopes cannot write that
export default kernel('one-stage', { stages: 1, tiles: 16 }, ({ stages, tiles }) => {
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
    const last = yield* loop<ConsumerStage | null>(null, function* (previous) {
      if (!(yield* items.more())) return end(previous);
      const tile = yield* ab.acquireConsumer();
      mma.issue(tile);
      yield* mma.waitGroup(1);
      previous?.release();
      return tile;
    });
    yield* mma.waitGroup(0);
    last?.release();
  });

  return [load, multiply];
});
