// One CTA of a pair deallocates tensor memory before the allocation of its peer has completed.
// tcgen05.alloc and dealloc with cta_group::2 act on the tensor memory of both CTAs. If the second
// one is a few microseconds late, the launch fails every time on a B300. Modeled here: what dealloc
// does to the peer is an access to the columns that the peer has allocated.
// The fix in the thread: a cluster barrier anywhere between alloc and dealloc.
// https://github.com/NVIDIA/cutlass/issues/3435
import { alloc, free, kernel, pool, relinquish, role, syncCluster, write } from 'poundlock';

export default kernel('alloc-dealloc-pair', { fixed: false }, ({ fixed }) => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const [columns] = tmem.buffers;

  const warp = (cta: number) =>
    role(`warp${cta}`, { cta, lanes: 32 }, function* () {
      const own = yield* alloc(tmem, 512);
      if (fixed) yield* syncCluster();
      relinquish(tmem);
      write(columns!, { cta: 1 - cta }); // dealloc: of the peer's half
      yield* syncCluster(); // both take part in it
      free(own);
    });

  return [warp(0), warp(1)];
});
