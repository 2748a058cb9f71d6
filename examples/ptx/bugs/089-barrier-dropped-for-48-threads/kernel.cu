// 48 of 64 threads exchange values through shared memory, and the barrier between is dropped: a
// barrier counts whole warps. The fix here: all threads meet, and 48 of them exchange.
// https://github.com/tile-ai/tilelang/issues/2556
#include "../gpu.cuh"

extern "C" __global__ void reverse_48(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t s[64];
  int t = threadIdx.x;
  if (t < 48) s[t] = in[t];
  if (FIXED) __syncthreads();
  if (t < 48) out[t] = s[47 - t];
}
