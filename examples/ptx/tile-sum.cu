// Sums tiles: one warp copies them into a ring of two stages, another adds them up.
#include "mbarrier.cuh"

constexpr int STAGES = 2;
constexpr int WORDS = 1024;

extern "C" __global__ void tile_sum(const uint32_t *in, uint32_t *out, int tiles) {
  __shared__ alignas(128) uint32_t tile[STAGES][WORDS];
  __shared__ uint64_t full[STAGES], empty[STAGES];
  if (threadIdx.x == 0)
    for (int s = 0; s < STAGES; s++) {
      init(&full[s], 1);
      init(&empty[s], 32);
    }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      for (int t = 0; t < tiles; t++) {
        int s = t % STAGES, phase = t / STAGES & 1;
        wait(&empty[s], phase ^ 1);
        expect(&full[s], sizeof tile[s]);
        copy(tile[s], in + t * WORDS, sizeof tile[s], &full[s]);
      }
  } else {
    uint32_t lane = threadIdx.x - 32, sum = 0;
    for (int t = 0; t < tiles; t++) {
      int s = t % STAGES, phase = t / STAGES & 1;
      wait(&full[s], phase);
      for (int i = lane; i < WORDS; i += 32) sum += tile[s][i];
      arrive(&empty[s]);
    }
    out[lane] = sum;
  }
}
