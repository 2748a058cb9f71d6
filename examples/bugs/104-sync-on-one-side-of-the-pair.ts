// The tensor memory of a CTA pair is deallocated behind a cluster barrier, and allocated behind a
// barrier of the CTA alone.
// What a compiler emits for paired MMAs (a candidate that was found by reading, not seen on
// hardware): warp 0 allocates with cta_group::2, and the peer may not be resident yet. Modeled
// here: the allocation as a handshake of the two warps on mbarriers, each in the CTA of the other.
// The fix here: a cluster barrier before the allocation, as CUTLASS has it.
// https://github.com/tile-ai/tilelang/issues/2644
import {
  alloc,
  arrive,
  asyncUse,
  barrier,
  commit,
  free,
  kernel,
  launch,
  pool,
  relinquish,
  role,
  syncCluster,
  syncNamed,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

const SYNC_THREADS = 0;
const THREADS = 128;

export default kernel('gemm-2cta', { fixed: false }, ({ fixed }) => {
  launch({ begin: 'apart' });
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const [accumulator] = tmem.buffers;
  const [met, done] = [barrier('met'), barrier('done')];

  const warp0 = (cta: number) =>
    role(`warp0 of ${cta}`, { cta, lanes: 32 }, function* () {
      if (fixed) yield* syncCluster();
      arrive(met, { cta: 1 - cta });
      yield* wait(met, 0);
      yield* alloc(tmem, 256);
      relinquish(tmem);
      yield* syncNamed(SYNC_THREADS, THREADS);
      asyncUse(UNITS.tcgen05, { writes: [accumulator!] });
      commit(UNITS.tcgen05, done);
      yield* syncCluster(); // before the deallocation
      free(accumulator!);
    });

  const others = (cta: number) =>
    role(`warps 1-3 of ${cta}`, { cta, lanes: 96 }, function* () {
      if (fixed) yield* syncCluster();
      yield* syncNamed(SYNC_THREADS, THREADS);
      yield* wait(done, 0);
      asyncUse(UNITS.tcgen05Ld, { reads: [accumulator!] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      yield* syncCluster();
    });

  return [0, 1].flatMap((cta) => [warp0(cta), others(cta)]);
});
