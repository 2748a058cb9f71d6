// All warps wait for the stores of a ring before they write to it again, but the stores belong to
// the thread that issued them: the others wait for nothing. The fix: the leader waits, and then all
// warps meet.
// https://github.com/NVIDIA/TransformerEngine/pull/3417
#include "../gpu.cuh"

constexpr int BYTES = 256;

extern "C" __global__ void quantize(char *out, int tiles) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  rolled for (int t = 0; t < tiles; t++) {
    waitBulkRead<0>();
    if (FIXED) __syncthreads();
    tile[threadIdx.x] = t;
    fenceAsync();
    __syncthreads();
    if (threadIdx.x == 0) {
      storeBulk(out + t * BYTES, tile, BYTES);
      commitBulk();
    }
  }
  waitBulk<0>();
}
