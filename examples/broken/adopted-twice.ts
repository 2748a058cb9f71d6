// Bug: a tile is moved into a scope and released by hand as well.
// On hardware: the stage is signalled empty twice. The second arrival belongs to the next phase:
// the load is let in one tile too early.
// Fix: what was adopted is the scope's: no release.
import { adopt, kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('adopted-twice', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
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
      const found = yield* ab.acquireConsumer();
      using tile = adopt(found);
      mma.issue(tile);
      yield* mma.waitGroup(0);
      found.release();
    }
  });

  return [load, multiply];
});
