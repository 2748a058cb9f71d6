// Each CTA stores into the shared memory of its peer as the first thing that it does; that the peer
// has begun is ordered by nothing. The fix: a cluster barrier before the store, too.
// https://github.com/facebookexperimental/triton/pull/2292
#include "../gpu.cuh"

extern "C" __global__ void exchange(uint32_t *out) {
  __shared__ uint32_t inbox[32];
  if (FIXED) syncCluster();
  storeAt(&inbox[lane()], cta() ^ 1, lane());
  syncCluster();
  out[cta() * 32 + lane()] = inbox[lane()];
}
