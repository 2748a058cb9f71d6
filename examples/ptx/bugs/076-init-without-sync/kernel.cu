// All threads arrive at a barrier that one of them has just initialized, and nothing makes the
// others wait for that. The fix: __syncthreads() after the initialization.
// https://github.com/NVIDIA/Fuser/issues/1552
#include "../gpu.cuh"

extern "C" __global__ void transpose(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t tile[128];
  __shared__ Bar written;
  if (threadIdx.x == 0) init(&written, 128);
  if (FIXED) __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  arrive(&written);
  wait(&written, 0);
  out[threadIdx.x] = tile[127 - threadIdx.x];
}
