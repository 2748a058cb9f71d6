// A kernel uses tensor memory that it has never allocated.
// The first Blackwell tutorials define an accumulator in tensor memory and issue MMAs to it,
// without tcgen05.alloc. It works as long as one CTA at a time runs on an SM: two of them write to
// the same columns.
// The fix: allocate before the first MMA, and free after the last read.
// https://github.com/NVIDIA/cutlass/issues/2230
import {
  alloc,
  asyncUse,
  barrier,
  commit,
  free,
  kernel,
  pool,
  relinquish,
  role,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

export default kernel('mma-tutorial', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const [accumulator] = tmem.buffers;
  const done = barrier('mma_barrier');

  const gemm = role('gemm', { lanes: 128 }, function* () {
    if (fixed) yield* alloc(tmem, 256);
    for (let tile = 0; tile < tiles; tile++) {
      asyncUse(UNITS.tcgen05, { writes: [accumulator!] });
      commit(UNITS.tcgen05, done);
      yield* wait(done, tile);
    }
    asyncUse(UNITS.tcgen05Ld, { reads: [accumulator!] });
    yield* waitGroup(UNITS.tcgen05Ld, 0);
    if (!fixed) return;
    relinquish(tmem);
    free(accumulator!);
  });

  return [gemm];
});
