// Of the four warps of a warpgroup, the one that has nothing to do does not decrease its registers.
// The fix: the decrease moved out of the condition.
// https://github.com/Dao-AILab/quack/commit/97c98dc
#include "../gpu.cuh"

extern "C" __global__ void __launch_bounds__(384, 1) gathered_gemm(uint32_t *out, int has_c) {
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  int group = threadIdx.x / 128;
  if (group == 0) {
    if (FIXED || warp() != 3 || has_c) lessRegisters<120>();
    if (threadIdx.x == 0) arrive(&full);
  } else if (group == 1) {
    lessRegisters<120>();
  } else {
    moreRegisters<256>();
    wait(&full, 0);
    out[threadIdx.x] = threadIdx.x;
  }
}
