// The last split of a split-K product has no steps, and the consumer waits for its first tile before
// it looks at the bound. The fix: both roles skip a split without steps.
// https://github.com/facebookexperimental/triton/pull/1141
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void split_k(const char *in, uint32_t *out, int steps) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int k = 0; k < steps; k++) {
        wait(&empty, (k & 1) ^ 1);
        expect(&full, BYTES);
        copy(tile, in + k * BYTES, BYTES, &full);
      }
  } else {
    uint32_t sum = 0;
    if (!FIXED || steps > 0) {
      wait(&full, 0);
      sum = tile[lane()];
      arrive(&empty);
    }
    rolled for (int k = 1; k < steps; k++) {
      wait(&full, k & 1);
      sum += tile[lane()];
      arrive(&empty);
    }
    out[lane()] = sum;
  }
}
