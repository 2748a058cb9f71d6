// One lane of a warp knows whether there is another tile, and the others get its flag by a shuffle
// of a bool.
// The scheduler of a grouped GEMM broadcast its valid flag as a bool; no more is known here.
// Modeled is what follows if lanes take it for false: they leave the loop, while the warp is still
// to come together for the next tile, at a named barrier.
// The fix, one line; here: all lanes get the flag of the one that knows.
// https://github.com/NVIDIA/cutlass/pull/2267
import { choose, kernel, pipeline, read, role, syncNamed, tma } from 'poundlock';

const WARP = 32;
const SYNC_WARP = 7; // a named barrier in place of __syncwarp()

export default kernel('group-scheduler', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const ab = pipeline('ab', { stages: 1, bytes: 16_384 });

  const elected = role('loadElected', { lanes: 1 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* syncNamed(SYNC_WARP, WARP);
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const others = role('loadOthers', { lanes: WARP - 1 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const isValid = fixed || (yield* choose(2)) === 1;
      if (!isValid) return;
      yield* syncNamed(SYNC_WARP, WARP);
    }
  });

  const math = role('math', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using found = yield* ab.consume();
      read(found.buffer());
    }
  });

  return [elected, others, math];
});
