// Bug: the mma role moves on to the next stage without signalling that this one is empty.
// On hardware: `release` of an input stage only steps a private counter; the signal is the commit,
// and it is missing. The first `stages` tiles pass, then load waits forever.
// Fix: mma.commit(tile.mbar()) after the MMA.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('missing-release', { stages: 1, tiles: 2 }, ({ stages, tiles }) => {
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
      using tile = yield* ab.consumeExplicit();
      mma.issue(tile);
    }
  });

  return [load, multiply];
});
