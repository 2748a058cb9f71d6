// Two schedules of a GEMM can be launched early, and have no wait for the kernel before.
// CUTLASS for Hopper: the plain GEMM kernels call wait_on_dependent_grids in each warp that loads;
// the array and grouped ones, made after them, never did. With programmatic dependent launch the
// producer warp can load an operand before the kernel before has written it. Rare, and hard to
// reproduce.
// The fix: the call in the loading warps, here those of the main loop and of the epilogue.
// https://github.com/NVIDIA/cutlass/issues/2760
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  grid,
  kernel,
  launchDependents,
  pipeline,
  read,
  role,
  UNITS,
  wait,
  waitGrids,
  waitGroup,
  write,
} from 'poundlock';

const BYTES = 16_384;

export default kernel('array-gemm', { fixed: false, kTiles: 2 }, ({ fixed, kTiles }) => {
  const before = grid('quantize');
  const gemm = grid('gemm', { after: before });
  const [a, c, d] = ['A', 'C', 'D'].map((name) => buffer(name, { space: 'global' }));
  const ab = pipeline('ab', { stages: 2, bytes: BYTES });
  const sC = buffer('sC', { bytes: BYTES });
  const loadedC = barrier('loadedC');

  const quantize = role('quantize', { grid: before }, function* () {
    launchDependents();
    write(a!);
    write(c!);
  });

  const producer = role('producer', { grid: gemm }, function* () {
    if (fixed) yield* waitGrids();
    for (let k = 0; k < kTiles; k++) {
      using slot = yield* ab.produce();
      const bar = ab.producerMbar(slot.index);
      arrive(bar, { bytes: BYTES });
      asyncCopy(UNITS.tma, { reads: [a!], into: slot.buffers, bar, bytes: BYTES });
    }
    yield* ab.drain();
  });

  const loadC = role('epilogue load', { grid: gemm }, function* () {
    if (fixed) yield* waitGrids();
    arrive(loadedC, { bytes: BYTES });
    asyncCopy(UNITS.tma, { reads: [c!], into: [sC], bar: loadedC, bytes: BYTES });
  });

  const math = role('math', { grid: gemm, lanes: 128 }, function* () {
    for (let k = 0; k < kTiles; k++) {
      using tile = yield* ab.consumeExplicit();
      asyncUse(UNITS.wgmma, { reads: tile.buffers, group: true });
      yield* waitGroup(UNITS.wgmma, 0);
      tile.arrive({ lanes: 1 });
    }
    yield* wait(loadedC, 0);
    read(sC);
    write(d!);
  });

  return [quantize, producer, loadC, math];
});
