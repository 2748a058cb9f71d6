// Bug: the load role expects the bytes of A and those of B in two operations, on a barrier for one.
// On hardware: arrive.expect_tx is an arrival. The second one finds no arrival pending and traps;
// or, if A has landed in between, it belongs to the next phase and the MMA runs without B.
// Fix: one tma.expect for both (tma.load does), or expectTx for the second, which does not arrive.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('over-arrival', { stages: 1, tiles: 1 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: { a: 16_384, b: 16_384 } });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.expect(slot, 16_384);
      tma.copy(slot, 0);
      tma.expect(slot, 16_384);
      tma.copy(slot, 1);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    for (let k = 0; k < tiles; k++) {
      using tile = yield* ab.consume();
      mma.issue(tile);
      yield* mma.waitGroup(0);
    }
  });

  return [load, multiply];
});
