// The first block sets the work counter to 0, and the other blocks do not wait for that. The fix: set
// it before the launch.
// https://github.com/vllm-project/vllm-xpu-kernels/pull/524
#include "../gpu.cuh"

extern "C" __global__ void grouped_gemm(int *next, int *out, int tiles) {
  __shared__ int tile;
  if (!FIXED && blockIdx.x == 0 && threadIdx.x == 0) *next = 0;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    int t = tile;
    if (t >= tiles) break;
    out[t * 64 + threadIdx.x] = t;
  }
}
