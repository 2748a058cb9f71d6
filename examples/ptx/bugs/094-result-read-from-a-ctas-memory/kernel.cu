// CTA 0 broadcasts a scalar that the other CTA reads from its shared memory, and may have returned by
// then. The fix: a cluster barrier before each return.
// https://github.com/triton-lang/triton/pull/11731
#include "../gpu.cuh"

extern "C" __global__ void broadcast_scalar(uint32_t *out) {
  __shared__ uint32_t result;
  if (cta() == 0 && threadIdx.x == 0) result = 42;
  syncCluster();
  out[cta() * 32 + lane()] = loadAt(&result, 0);
  if (FIXED) syncCluster();
}
