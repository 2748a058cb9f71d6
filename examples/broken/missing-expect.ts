// Bug: the load role starts the copy and never says that its bytes are expected.
// On hardware: the bytes come, the count goes below zero, and the arrival that expect_tx would have
// been is missing: the phase never completes.
// Fix: tma.load, which expects what it copies; or tma.expect before tma.copy.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('missing-expect', { tiles: 1 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 1, bytes: 32_768 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.copy(slot);
    }
    yield* ab.drain();
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
