// Bug: the load role fills the first tile itself, and a function that got the pipeline by value
// fills the others.
// On hardware: the pipeline is a register value with its counters in it. The copy was made before
// the first tile and starts with stage 0 again: it fills a stage that is still being read.
// Fix: pass the pipeline by reference; or work through the copy alone from the start.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('forked-pipeline', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });
  const byValue = ab.copy();

  const load = role('load', function* () {
    {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    for (let tile = 1; tile < tiles; tile++) {
      using slot = yield* byValue.produce(); // in the function
      tma.load(slot);
    }
    yield* byValue.drain();
  });

  const multiply = role('mma', function* () {
    for (let k = 0; k < tiles; k++) {
      using tile = yield* ab.consumeExplicit();
      mma.issue(tile);
      mma.commit(tile.mbar());
    }
  });

  return [load, multiply];
});
