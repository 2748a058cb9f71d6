// For a sequence without keys load and MMA have nothing to do, and the correction role waits for its
// output (modeled; the thread has the symptom alone). The fix here: correction stores zeros.
// https://github.com/flashinfer-ai/flashinfer/pull/1198
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void ragged_keys(const int *keys, const char *in, uint32_t *out, int sequences) {
  __shared__ alignas(128) uint32_t k_tile[BYTES / 4];
  __shared__ uint32_t o[32];
  __shared__ Bar full, empty, o_full, o_empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
    init(&o_full, 32);
    init(&o_empty, 32);
  }
  __syncthreads();
  int n = 0, outputs = 0;
  rolled for (int s = 0; s < sequences; s++) {
    if (warp() == 0) {
      if (lane() == 0)
        rolled for (int k = 0; k < keys[s]; k++, n++) {
          wait(&empty, (n & 1) ^ 1);
          expect(&full, BYTES);
          copy(k_tile, in + k * BYTES, BYTES, &full);
        }
    } else if (warp() == 1) {
      if (keys[s] == 0) continue;
      uint32_t sum = 0;
      rolled for (int k = 0; k < keys[s]; k++, n++) {
        wait(&full, n & 1);
        sum += k_tile[lane()];
        arrive(&empty);
      }
      wait(&o_empty, (outputs & 1) ^ 1);
      o[lane()] = sum;
      arrive(&o_full);
      outputs++;
    } else if (FIXED && keys[s] == 0) {
      out[s * 32 + lane()] = 0;
    } else {
      wait(&o_full, outputs & 1);
      out[s * 32 + lane()] = o[lane()];
      arrive(&o_empty);
      outputs++;
    }
  }
}
