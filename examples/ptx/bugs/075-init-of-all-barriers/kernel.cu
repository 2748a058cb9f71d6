// One thread initializes all barriers of a kernel, the cluster meets by a relaxed arrival, and no
// fence releases the initialization to the other CTA. The fix: fence.mbarrier_init after the last.
// https://github.com/tile-ai/tilelang/pull/1121
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void barrier_list(const char *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t half[2][BYTES / 4];
  __shared__ Bar full;
  if (threadIdx.x == 0) {
    init(&full, 1);
    if (FIXED) fenceInit();
  }
  __syncthreads();
  arriveClusterRelaxed();
  waitForCluster();
  if (warp() == 0) {
    if (lane() == 0) {
      expect(&full, 2 * BYTES);
      copyToAll(half[cta()], in + cta() * BYTES, BYTES, &full, 3);
    }
    syncWarp();
  } else {
    wait(&full, 0);
    out[cta() * 32 + lane()] = half[0][lane()] + half[1][lane()];
  }
  syncCluster();
}
