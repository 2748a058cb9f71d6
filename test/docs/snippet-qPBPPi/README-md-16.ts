import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('gemm', { stages: 1, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 }); // full/empty mbarriers for each stage

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce(); // blocks until the stage is empty
      tma.load(slot); // expects the bytes and starts the copy
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    for (let k = 0; k < tiles; k++) {
      using tile = yield* ab.consume(); // blocks until the stage is full
      mma.issue(tile); // starts the tensor core
    } // the end of the block releases the stage: arrives on its empty barrier
    yield* mma.waitGroup(0);
  });

  return [load, multiply];
});
