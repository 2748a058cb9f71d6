// A stage goes back to the copies after ordinary loads, without a fence between the two proxies.
// The fix: the readers fence before they arrive. (A promise of the ISA that no kernel is known to
// need, so it is asked for with --memory isa.)
// https://github.com/deepseek-ai/DeepEP/pull/642
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void combine(const char *in, uint32_t *out, int tokens) {
  __shared__ alignas(128) uint32_t token[BYTES / 4];
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
    fenceInit();
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int t = 0; t < tokens; t++) {
        wait(&empty, (t & 1) ^ 1);
        expect(&full, BYTES);
        copy(token, in + t * BYTES, BYTES, &full);
      }
  } else {
    uint32_t sum = 0;
    rolled for (int t = 0; t < tokens; t++) {
      wait(&full, t & 1);
      sum += token[lane()];
      if (FIXED) fenceAsync();
      arrive(&empty);
    }
    out[lane()] = sum;
  }
}
