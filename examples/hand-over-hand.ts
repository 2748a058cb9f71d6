// A GEMM main loop that holds two tiles at a time: the next is taken before the last is given back.
//
// Shows: overlapping ownership. The tensor core works on one tile while the next is being fetched,
// so a tile is released one round after it was taken. Nested scopes cannot write that; a linear
// handle moves into the next round through the state of the loop.
// Unlike gemm-linear, a ring of one stage deadlocks: see broken/one-stage.
//
//   role  waits for                     works on             signals
//   load  ab.empty[stage]               a TMA copy           ab.full[stage], by its bytes
//   mma   ab.full[stage], then the      the tensor core, one ab.empty[stage] of the tile before,
//         work before the newest        group under way      by release()
import { count, end, kernel, loop, role, pipeline, tma, mma, type ConsumerStage } from 'poundlock';

// the stage before the newest is still read by the MMA in flight: nested scopes cannot write that
export default kernel('hand-over-hand', { stages: 3, tiles: 16 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768, advance: 'acquire' });
  const items = count(tiles); // 16 of them, or any number with --every tiles

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      using slot = yield* ab.produce(); // scoped: blocks until a consumer has freed the stage
      tma.load(slot); // posted: expects the bytes, the copy lands by itself
      return null; // leaves the stage as the scope ends
    });
    yield* ab.drain(); // every consumer is done before this role ends
  });

  const multiply = role('mma', function* () {
    const last = yield* loop<ConsumerStage | null>(null, function* (previous) {
      if (!(yield* items.more())) return end(previous);
      const tile = yield* ab.acquireConsumer(); // linear: released by exactly one call
      mma.issue(tile); // posted: the tensor core reads the tile
      yield* mma.waitGroup(1); // all but the newest are done
      previous?.release();
      return tile; // moves the handle into the next round
    });
    yield* mma.waitGroup(0);
    last?.release(); // forget this line: `lint` and `check` both say so
  });

  return [load, multiply];
});
