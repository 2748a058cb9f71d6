// The barriers of one pipeline are initialized without the fence that those of the other one have,
// and the cluster meets by a relaxed arrival, which carries no memory. The fix: the fence.
// https://github.com/NVIDIA/cutlass/pull/2030
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void two_pipelines(const char *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t ab[2][BYTES / 4], c[2][BYTES / 4];
  __shared__ Bar ab_full, c_full;
  if (warp() == 0 && lane() == 0) {
    init(&ab_full, 1);
    fenceInit();
  }
  if (warp() == 1 && lane() == 0) {
    init(&c_full, 1);
    if (FIXED) fenceInit();
  }
  __syncthreads();
  arriveClusterRelaxed();
  waitForCluster();
  if (warp() == 0) {
    if (lane() == 0) {
      expect(&ab_full, 2 * BYTES);
      copyToAll(ab[cta()], in + cta() * BYTES, BYTES, &ab_full, 3);
    }
  } else if (warp() == 1) {
    if (lane() == 0) {
      expect(&c_full, 2 * BYTES);
      copyToAll(c[cta()], in + (2 + cta()) * BYTES, BYTES, &c_full, 3);
    }
  } else {
    wait(&ab_full, 0);
    wait(&c_full, 0);
    out[cta() * 32 + lane()] = ab[0][lane()] + ab[1][lane()] + c[0][lane()] + c[1][lane()];
  }
  syncWarp();
  syncCluster();
}
