// Bug: a lane that loads nothing waits for `empty` like the elected lane, and nothing waits for it.
// On hardware: all 32 lanes of a load warp execute the acquire, and one issues the TMA. A lane that
// gets to its wait only after the consumer has released the tile finds the barrier two phases
// beyond the one it wants, and so with the parity it is to wait out: it waits for a flip that never
// comes, and the warp hangs (the hazard of CUTLASS pull request 3654).
// Fix: __syncwarp() after the acquire, so that no lane can be lapped.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('lapped-lane', { tiles: 1 }, ({ tiles }) => {
  const q = pipeline('q', { stages: 1, bytes: 16_384 });

  const elected = role('elected', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* q.produce();
      tma.load(slot);
    }
  });

  const lane = role('lane', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const slot = yield* q.acquireProducer(); // waits, and has nothing to do
      slot.release();
    }
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using q0 = yield* q.consume();
      mma.issue(q0);
      yield* mma.waitGroup(0);
    }
  });

  return [elected, lane, multiply];
});
