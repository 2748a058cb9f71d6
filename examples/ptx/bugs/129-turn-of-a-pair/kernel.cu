// Turns are computed from the number of CTAs, and a pair of CTAs arrives once. The fix: compute them
// from the number of pairs.
// https://github.com/PaddlePaddle/flash-attention/pull/140
#include "../gpu.cuh"

extern "C" __global__ void __cluster_dims__(2, 1, 1) flashmask_backward(float *dQ, int *lock) {
  int group = blockIdx.x / 2, groups = gridDim.x / 2;
  int turn = (FIXED ? groups : (int)gridDim.x) - 1 - group;
  if (cta() == 0) {
    if (threadIdx.x == 0) {
      int now;
      do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(now) : "l"(lock) : "memory");
      while (now != turn);
    }
    __syncthreads();
    dQ[threadIdx.x] += group;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(lock) : "memory");
  }
  syncCluster();
}
