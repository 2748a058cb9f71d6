// A warp of the epilogue frees the accumulators after its own last subtile, and the other warps of
// the epilogue may still load theirs.
// A persistent GEMM on Blackwell: the epilogue warps share the stages of the accumulator, each
// loads its own lanes of tensor memory, and nothing orders the last loads of the others before
// tcgen05.dealloc.
// The fix: a named barrier of the epilogue warps before it, at which the MMA warp arrives as well.
// https://github.com/Dao-AILab/quack/commit/14e9a0b
import {
  alloc,
  arriveNamed,
  asyncUse,
  commit,
  free,
  kernel,
  pipeline,
  pool,
  relinquish,
  role,
  syncNamed,
  UNITS,
  waitGroup,
} from 'poundlock';

const WARPS = 4; // of the epilogue
const TMEM = 2; // a named barrier
const THREADS = 32 * (WARPS + 1);

export default kernel('quack-gemm', { fixed: false, tiles: 1 }, ({ fixed, tiles }) => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const [accumulator] = tmem.buffers;
  const acc = pipeline('acc', { stages: 1, consumers: 32 * WARPS });

  const mma = role('mma', { lanes: 32 }, function* () {
    yield* syncNamed(TMEM, THREADS);
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* acc.produce();
      asyncUse(UNITS.tcgen05, { writes: [accumulator!] });
      commit(UNITS.tcgen05, slot.mbar());
    }
    if (fixed) arriveNamed(TMEM, THREADS);
    yield* acc.drain();
  });

  const epilogue = (warp: number) =>
    role(`epilogue${warp}`, { lanes: 32 }, function* () {
      if (warp === 0) yield* alloc(tmem, 512);
      yield* syncNamed(TMEM, THREADS); // the address is there
      for (let tile = 0; tile < tiles; tile++) {
        using _found = yield* acc.consume();
        asyncUse(UNITS.tcgen05Ld, { reads: [accumulator!] });
        yield* waitGroup(UNITS.tcgen05Ld, 0);
      }
      if (warp === 0) relinquish(tmem);
      if (fixed) yield* syncNamed(TMEM, THREADS);
      if (warp === 0) free(accumulator!);
    });

  return [mma, ...Array.from({ length: WARPS }, (_, warp) => epilogue(warp))];
});
