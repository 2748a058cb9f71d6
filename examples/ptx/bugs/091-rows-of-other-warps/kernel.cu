// Each warp copies its rows by cp.async and waits for its own copies, and then every warp reads all
// rows, with a __syncwarp() between. The fix: a barrier of all warps.
// https://github.com/flashinfer-ai/flashinfer/pull/3439
#include "../gpu.cuh"

extern "C" __global__ void checkpointed_state(const char *in, uint32_t *out) {
  __shared__ alignas(16) uint32_t rows[64 * 4];
  copy16(&rows[threadIdx.x * 4], in + threadIdx.x * 16);
  commitCopies();
  waitCopies<0>();
  if (FIXED) __syncthreads();
  else syncWarp();
  out[threadIdx.x] = rows[(63 - threadIdx.x) * 4];
}
