// The follower of a pair arrives at a barrier of the leader when its epilogue is done, and the leader
// may have retired by then. The fix: both CTAs meet at the cluster barrier before they end.
// https://github.com/sgl-project/sglang/issues/34340
#include "../gpu.cuh"

extern "C" __global__ void follower(uint32_t *out) {
  __shared__ uint32_t accumulator[32];
  __shared__ Bar released;
  if (threadIdx.x == 0) {
    init(&released, 64);
    fenceInit();
  }
  accumulator[lane()] = lane() + cta();
  syncCluster();
  out[cta() * 32 + lane()] = accumulator[lane()];
  arriveAt(&released, 0);
  if (FIXED) syncCluster();
}
