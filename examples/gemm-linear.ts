// The GEMM main loop of gemm.ts with linear ownership: every stage is released by exactly one call.
//
// Shows: the same operations in the same order, and so the same schedules, without nesting. The
// release stands where it belongs, and may move: up to where the tile is no longer needed, or past
// other acquires. What the compiler does not see, a forgotten or a second release, `check` finds.
//
//   role  waits for         works on                  signals
//   load  ab.empty[stage]   TMA copies of A and of B  ab.full[stage], by their bytes
//   mma   ab.full[stage]    the tensor core           ab.empty[stage], by release()
import { count, end, kernel, loop, mma, pipeline, role, tma } from 'poundlock';

export default kernel('gemm-linear', { stages: 3, tiles: 16 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: { a: 16_384, b: 16_384 } });
  const items = count(tiles);

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      const slot = yield* ab.acquireProducer();
      tma.load(slot);
      slot.release(); // moves on; the bytes signal `full` when they land
      return null;
    });
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      const tile = yield* ab.acquireConsumer();
      mma.issue(tile);
      yield* mma.waitGroup(0);
      tile.release(); // signals `empty` and moves on
      return null;
    });
  });

  return [load, multiply];
});
