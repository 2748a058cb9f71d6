// Thread 0 issues a copy and arrives for the next phase while other warps may still wait for the last
// one: a warp that is late misses a phase. The fix: a barrier of all warps before the arrival.
// https://github.com/triton-lang/triton/pull/3809
#include "../gpu.cuh"

constexpr int BYTES = 512;

extern "C" __global__ void lowered_copy(const char *in, uint32_t *out, int loads) {
  __shared__ alignas(128) uint32_t tile[2][BYTES / 4];
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  rolled for (int n = 0; n < loads; n++) {
    if (FIXED) __syncthreads();
    if (threadIdx.x == 0) {
      expect(&full, BYTES);
      copy(tile[n % 2], in + n * BYTES, BYTES, &full);
    }
    wait(&full, n & 1);
    out[n * 128 + threadIdx.x] = tile[n % 2][threadIdx.x];
  }
}
