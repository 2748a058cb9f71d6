// A GEMM main loop: one role loads tiles with TMA into a ring of stages, one multiplies them.
//
//   role  waits for         works on         signals
//   load  ab.empty[stage]   the TMA copies   ab.full[stage], by their bytes
//   mma   ab.full[stage]    the tensor core  ab.empty[stage], as the block of its loop ends
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('gemm', { stages: 2, tiles: 4 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 }); // full/empty mbarriers for each stage

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce(); // waits until the stage is empty
      tma.load(slot); // completes later: its bytes signal full
    }
    yield* ab.drain(); // the barriers stay alive until the last stage was given back
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.consume(); // waits until the stage is full
      mma.issue(slot);
      yield* mma.waitGroup(0); // the tensor core has read the tile: the stage may be filled again
    }
  });

  return [load, multiply];
});
