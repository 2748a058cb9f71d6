// Bug: a stage is filled by two copies of 16,384 B, and only one of them is expected.
// On hardware: `full` flips when the first copy has landed; the MMA reads a tile whose other half
// is still on its way, and the bytes of the late copy are counted in the next phase.
// Fix: expect what is copied: tma.load(slot) does.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('expect-too-small', { stages: 1, tiles: 1 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: { a: 16_384, b: 16_384 } });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.expect(slot, 16_384);
      tma.copy(slot, 0);
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
