// All warps read a flag as the condition of a loop, and the leader writes it with no barrier between.
// The fix: a barrier after the flag is read.
// https://github.com/NVIDIA/TensorRT-LLM/issues/18338
#include "../gpu.cuh"

extern "C" __global__ void gvr_topk(uint32_t *out, int rounds) {
  __shared__ int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  int n = 0;
  while (done < rounds) {
    if (FIXED) __syncthreads();
    if (threadIdx.x == 0) done = n + 1;
    n++;
    __syncthreads();
  }
  out[threadIdx.x] = n;
}
