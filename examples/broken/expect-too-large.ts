// Bug: the load role expects the bytes of A and B, and copies only A.
// On hardware: `full` waits for 16,384 B that are never sent: the kernel hangs at its first tile.
// Fix: copy B too, or expect the bytes of A alone.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('expect-too-large', { stages: 1, tiles: 1 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: { a: 16_384, b: 16_384 } });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.expect(slot); // all of the stage: 32,768 B
      tma.copy(slot, 0);
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
