// Bug: the tile is given back when the MMA has been issued, not when it has read the tile.
// On hardware: the next TMA copy overwrites operands that the tensor core is still reading; the
// result is intermittently wrong.
// Fix: yield* mma.waitGroup(0) before the block ends, or let mma.commit signal `empty`.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('early-release', { stages: 1, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });

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
    }
    yield* mma.waitGroup(0);
  });

  return [load, multiply];
});
