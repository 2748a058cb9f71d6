// One thread clears a buffer by st.bulk while the other warp may still read what lay there before:
// the pass that adds barriers did not know that st.bulk writes. The fix: the barrier.
// https://github.com/tile-ai/tilelang/issues/2699
#include "../tensor-memory.cuh"

extern "C" __global__ void clear_accumulator(const uint32_t *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t q_or_sums[64];
  q_or_sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  uint32_t q = q_or_sums[63 - threadIdx.x];
  if (FIXED) __syncthreads();
  if (threadIdx.x == 0) clearBulk(q_or_sums, sizeof q_or_sums);
  __syncthreads();
  q_or_sums[threadIdx.x] += q;
  out[threadIdx.x] = q_or_sums[threadIdx.x];
}
