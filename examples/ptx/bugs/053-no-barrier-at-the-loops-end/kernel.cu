// Two warpgroups copy a tile together and multiply it, and the next copy begins although the other
// warpgroup's product may still read it. The fix: a barrier at the end of the loop.
// https://github.com/tile-ai/tilelang/issues/2613
#include "../gpu.cuh"

constexpr int BYTES = 4096;

extern "C" __global__ void guarded_groups(const uint4 *in, float *out, int ks) {
  __shared__ alignas(1024) uint4 tile[BYTES / 16];
  float d[4] = {};
  rolled for (int k = 0; k < ks; k++) {
    tile[threadIdx.x] = in[k * 256 + threadIdx.x];
    fenceAsync();
    __syncthreads();
    fenceWgmma();
    wgmma(d, operand(tile), operand((char *)tile + 2048));
    commitWgmma();
    waitWgmma<0>(d);
    if (FIXED) __syncthreads();
  }
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
