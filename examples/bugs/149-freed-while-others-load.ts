// The first warp frees tensor memory when its own work is over; the correction group may still load
// from it. The fix: a barrier of the block before the deallocation.
// https://github.com/mlc-ai/TIRx-kernels/pull/27
import {
  alloc,
  asyncUse,
  barrier,
  commit,
  free,
  kernel,
  namedBarrier,
  pool,
  relinquish,
  role,
  syncNamed,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

export default kernel('attention', { fixed: false }, ({ fixed }) => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const acc = tmem.buffers[0]!;
  const full = barrier('full');
  const block = namedBarrier('block', { id: 0, threads: 160 });
  return [
    role('mma', { lanes: 32 }, function* () {
      const columns = yield* alloc(tmem, 256);
      asyncUse(UNITS.tcgen05, { writes: [columns] });
      commit(UNITS.tcgen05, full);
      yield* wait(full, 0);
      if (fixed) yield* syncNamed(block);
      relinquish(tmem);
      free(columns);
    }),
    role('correction', { lanes: 128 }, function* () {
      yield* wait(full, 0);
      asyncUse(UNITS.tcgen05Ld, { reads: [acc] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      if (fixed) yield* syncNamed(block);
    }),
  ];
});
