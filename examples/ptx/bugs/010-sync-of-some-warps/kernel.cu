// __syncthreads() in the branch of the compute warps, which the load warp does not reach before
// they release a tile. The fix: the release comes first, and the warps of all roles to one barrier.
// https://github.com/flashinfer-ai/flashinfer/pull/2996
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void tiny_gemm(const char *weights, const float *bias, float *out) {
  __shared__ alignas(128) float tile[2][BYTES / 4];
  __shared__ float sums[2][32];
  __shared__ Bar full[2], empty;
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    init(&empty, 64);
  }
  __syncthreads();
  if (warp() == 2) {
    if (lane() == 0) {
      rolled for (int k = 0; k < 2; k++) {
        expect(&full[k], BYTES);
        copy(tile[k], weights + k * BYTES, BYTES, &full[k]);
      }
      wait(&empty, 0);
    }
    syncWarp();
    if (FIXED) __syncthreads();
  } else {
    wait(&full[warp()], 0);
    sums[warp()][lane()] = tile[warp()][lane()];
    if (FIXED) arrive(&empty);
    __syncthreads();
    out[threadIdx.x] = sums[0][lane()] + sums[1][lane()] + bias[lane()];
    if (!FIXED) arrive(&empty);
  }
}
