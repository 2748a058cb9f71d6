// Warps load an accumulator from tensor memory and let the MMA warp free it before the load is over.
// Nothing uses the registers of the last load, so that no instruction waits for it. Another verifier
// of PTX reported it; whether it fails on hardware is not known.
// The fix: tcgen05.wait::ld before the arrival.
// https://github.com/NVIDIA/cutlass/pull/3652
import {
  alloc,
  arrive,
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

export default kernel('tgv-gqa', { fixed: false }, ({ fixed }) => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const acc = tmem.buffers[0]!;
  const full = barrier('accFull');
  const released = barrier('allocationResult', { count: 1 });
  return [
    role('mma', function* () {
      const columns = yield* alloc(tmem, 64);
      asyncUse(UNITS.tcgen05, { writes: [columns] });
      commit(UNITS.tcgen05, full);
      yield* wait(released, 0);
      free(columns);
      relinquish(tmem);
    }),
    role('epilogue', { lanes: 128 }, function* () {
      yield* wait(full, 0);
      asyncUse(UNITS.tcgen05Ld, { reads: [acc] });
      if (fixed) yield* waitGroup(UNITS.tcgen05Ld, 0);
      arrive(released);
    }),
  ];
});
