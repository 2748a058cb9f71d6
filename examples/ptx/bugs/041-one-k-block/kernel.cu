// The first block is peeled off a main loop that tests its bound at the end: with one block the
// consumer waits for a second one. (The release note gives no cause; modeled.) The fix here: test
// before the first round.
// https://github.com/vllm-project/vllm/pull/17641
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void blockwise_scales(const char *in, uint32_t *out, int blocks) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int k = 0; k < blocks; k++) {
        wait(&empty, (k & 1) ^ 1);
        expect(&full, BYTES);
        copy(tile, in + k * BYTES, BYTES, &full);
      }
  } else {
    int k = 0;
    uint32_t sum = 0;
    auto multiply = [&] {
      wait(&full, k & 1);
      sum += tile[lane()];
      arrive(&empty);
      k++;
    };
    multiply();
    if (FIXED) {
      rolled while (k < blocks) multiply();
    } else {
      rolled do multiply();
      while (k < blocks);
    }
    out[lane()] = sum;
  }
}
