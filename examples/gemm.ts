// A GEMM main loop on a ring of stages, with scoped ownership: what most kernels look like.
//
// Shows: both roles hold a stage for exactly one block. The load leaves its stage as the block
// ends and lets the TMA bytes signal `full`; the MMA waits until the tensor core has read the tile,
// and the end of the block signals `empty`.
// Unlike gemm-linear, nothing can be forgotten; unlike hand-over-hand, at most one tile is held.
//
//   role  waits for         works on                  signals
//   load  ab.empty[stage]   TMA copies of A and of B  ab.full[stage], by their bytes
//   mma   ab.full[stage]    the tensor core           ab.empty[stage], at the closing brace
import { count, end, kernel, loop, mma, pipeline, role, tma } from 'poundlock';

export default kernel('gemm', { stages: 3, tiles: 16 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: { a: 16_384, b: 16_384 } });
  const items = count(tiles);

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot); // expects 32,768 B and starts both copies
      return null;
    });
    yield* ab.drain(); // the barriers stay alive until the last stage was given back
  });

  const multiply = role('mma', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      using tile = yield* ab.consume();
      mma.issue(tile);
      yield* mma.waitGroup(0); // the tensor core has read the tile: the stage may be filled again
      return null;
    });
  });

  return [load, multiply];
});
