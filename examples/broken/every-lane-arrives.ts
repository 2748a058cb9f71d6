// Bug: the consumer's 32 lanes all arrive on a barrier that was initialized for one of them.
// On hardware: mbarrier.arrive counts every thread that executes it. One tile completes 32 phases
// of `empty`; after an even number the parity is unchanged, and the load waits forever.
// Fix: consumers: 32; or arrive under a lane guard: tile.arrive({ lanes: 1 }).
import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('every-lane-arrives', { consumers: 1, tiles: 2 }, ({ consumers, tiles }) => {
  const ab = pipeline('ab', { stages: 1, bytes: 32_768, consumers });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const epilogue = role('epilogue', { lanes: 32 }, function* () {
    for (let k = 0; k < tiles; k++) {
      using tile = yield* ab.consume();
      read(tile.buffer());
    }
  });

  return [load, epilogue];
});
