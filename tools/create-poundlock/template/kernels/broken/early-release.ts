// The kernel of ../gemm.ts with one line in the wrong place: a stage is given back when its MMA has
// been issued, not when the tensor core has read it. On a GPU the result is wrong now and then.
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
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.consume();
      mma.issue(slot);
    } // the stage is empty from here on
    yield* mma.waitGroup(0); // belongs into the loop
  });

  return [load, multiply];
});
