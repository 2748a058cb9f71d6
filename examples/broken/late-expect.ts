// Bug: the load role arrives first and announces its bytes afterwards.
// On hardware: the arrival was the only one that the phase waits for, and no bytes were expected
// yet: it completes at once, the MMA reads an empty stage, and the bytes are missing from the next.
// Fix: arrive.expect_tx does both in one operation: tma.expect, or arrive with bytes.
import { UNITS, arrive, asyncCopy, expectTx, kernel, mma, pipeline, role } from 'poundlock';

const BYTES = 32_768;

export default kernel('late-expect', { tiles: 1 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 1, bytes: BYTES });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const slot = yield* ab.acquireProducer();
      asyncCopy(UNITS.tma, { into: slot.buffers, bar: slot.mbar(), bytes: BYTES });
      arrive(slot.mbar());
      expectTx(slot.mbar(), BYTES);
      slot.release();
    }
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
