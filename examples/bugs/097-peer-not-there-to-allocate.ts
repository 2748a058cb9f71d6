// A CTA begins the tensor memory allocation of a CTA pair before its peer is known to run.
// tcgen05.alloc with cta_group::2 is a handshake of both CTAs, and the issuing warp must make sure
// that the peer is launched. Two tutorials allocate as the first thing a CTA does;
// compute-sanitizer reports a hazard inside the allocation, in shared memory that both CTAs use.
// Modeled here: the handshake as a store to a word in the peer.
// The fix: a sync of the cluster before the allocation.
// https://github.com/NVIDIA/cutlass/pull/3316
import {
  alloc,
  buffer,
  free,
  kernel,
  launch,
  pool,
  relinquish,
  role,
  syncCluster,
  write,
} from 'poundlock';

export default kernel('mma-tma-2sm', { fixed: false }, ({ fixed }) => {
  launch({ begin: 'apart' });
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const handshake = buffer('handshake');

  const allocate = (cta: number) =>
    role(`warp0 of ${cta}`, { cta, lanes: 32 }, function* () {
      if (fixed) yield* syncCluster();
      write(handshake, { cta: 1 - cta });
      const accumulator = yield* alloc(tmem, 512);
      yield* syncCluster();
      write(accumulator);
      free(accumulator);
      relinquish(tmem);
      yield* syncCluster();
    });

  return [allocate(0), allocate(1)];
});
