// A role runs the tail of a pipeline that belongs to another one: its phase is that of the start,
// which is over once the owner has used the stage. The fix: the call is gone.
// https://github.com/flashinfer-ai/flashinfer/pull/3581
#include "../gpu.cuh"

extern "C" __global__ void gated_delta(const uint32_t *in, uint32_t *out, int chunks) {
  __shared__ uint32_t state[32];
  __shared__ alignas(128) uint32_t result[32];
  __shared__ Bar state_full, state_empty, output_full, output_empty;
  if (threadIdx.x == 0) {
    init(&state_full, 32);
    init(&state_empty, 32);
    init(&output_full, 32);
    init(&output_empty, 1);
  }
  __syncthreads();
  if (warp() == 0) {
    rolled for (int c = 0; c < chunks; c++) {
      wait(&state_empty, (c & 1) ^ 1);
      state[lane()] = in[c * 32 + lane()];
      arrive(&state_full);
    }
    wait(&state_empty, (chunks & 1) ^ 1);
    if (!FIXED) wait(&output_empty, 1);
  } else if (warp() == 1) {
    rolled for (int c = 0; c < chunks; c++) {
      wait(&state_full, c & 1);
      uint32_t before = state[lane()];
      arrive(&state_empty);
      wait(&output_empty, (c & 1) ^ 1);
      result[lane()] = before * 2;
      fenceAsync();
      arrive(&output_full);
    }
  } else if (lane() == 0) {
    rolled for (int c = 0; c < chunks; c++) {
      wait(&output_full, c & 1);
      storeBulk(out + c * 32, result, sizeof result);
      commitBulk();
      waitBulk<0>();
      arrive(&output_empty);
    }
  }
}
