// Work items are written to both CTAs and released in CTA 0, which may end while the other CTA still
// arrives there: only kernels with paired products had a cluster barrier at their end. The fix: every
// kernel with more than one CTA in its cluster has it.
// https://github.com/facebookexperimental/triton/pull/1105
#include "../gpu.cuh"

extern "C" __global__ void work_items(uint32_t *out, int items) {
  __shared__ uint32_t item[2];
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 2);
    fenceInit();
  }
  syncCluster();
  rolled for (int i = 0; i < items; i++) {
    if (cta() == 0 && lane() == 0) {
      if (i > 0) waitCluster(&empty, (i & 1) ^ 1);
      for (int peer = 0; peer < 2; peer++) {
        storeAt(&item[i % 2], peer, i);
        arriveAt(&full, peer);
      }
    }
    syncWarp();
    waitCluster(&full, i & 1);
    out[(i * 2 + cta()) * 32 + lane()] = item[i % 2];
    syncWarp();
    if (lane() == 0) arriveAt(&empty, 0);
  }
  syncWarp();
  if (FIXED) syncCluster();
}
