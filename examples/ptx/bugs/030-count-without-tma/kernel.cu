// Without TMA the threads of the load warpgroup copy the tile and all arrive, and the barrier still
// counts every thread of the block (how it is counted is modeled). The fix here: count the threads
// that copy.
// https://github.com/tile-ai/tilelang/pull/1995
#include "../gpu.cuh"

extern "C" __global__ void no_tma(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t tile[128];
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, FIXED ? 128 : blockDim.x);
  __syncthreads();
  int t = threadIdx.x % 128;
  if (threadIdx.x < 128) {
    tile[t] = in[t];
    arrive(&full);
  } else {
    wait(&full, 0);
    out[t] = tile[127 - t];
  }
}
