// One buffer, filled by a copy in each iteration and read by all warps: a barrier orders the next
// copy after the reads, and nothing orders the two proxies. The fix: a fence before the copy. (As a
// promise of the ISA: --memory isa.)
// https://github.com/triton-lang/triton/pull/7262
#include "../gpu.cuh"

constexpr int BYTES = 512;

extern "C" __global__ void one_buffer(const char *in, uint32_t *out, int ks) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  __shared__ Bar full;
  if (threadIdx.x == 0) {
    init(&full, 1);
    fenceInit();
  }
  __syncthreads();
  uint32_t sum = 0;
  rolled for (int k = 0; k < ks; k++) {
    if (threadIdx.x == 0) {
      if (FIXED) fenceAsync();
      expect(&full, BYTES);
      copy(tile, in + k * BYTES, BYTES, &full);
    }
    wait(&full, k & 1);
    sum += tile[threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
