// Eight loads of a round go over six barriers, so that the parity of a barrier stands for rows of
// both warpgroups. The fix: as many stages as loads in a round.
// https://github.com/NVIDIA/Fuser/pull/5862
#include "../gpu.cuh"

constexpr int GROUPS = 2, ROWS = 4, BYTES = 128, STAGES = FIXED ? 8 : 6;
extern "C" __global__ void rows(const char *in, uint32_t *out, int rounds) {
  __shared__ alignas(128) uint32_t row[STAGES][BYTES / 4];
  __shared__ Bar full[STAGES], empty[STAGES];
  if (threadIdx.x < STAGES) {
    init(&full[threadIdx.x], 1);
    init(&empty[threadIdx.x], 32);
    fenceInit();
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0) {
      rolled for (int n = 0; n < rounds * GROUPS * ROWS; n++) {
        int s = n % STAGES;
        wait(&empty[s], (n / STAGES & 1) ^ 1);
        expect(&full[s], BYTES);
        copy(row[s], in + n * BYTES, BYTES, &full[s]);
      }
    }
  } else {
    uint32_t sum = 0;
    rolled for (int r = 0; r < rounds; r++) {
      int first = r * GROUPS * ROWS + (warp() - 1) * ROWS;
      rolled for (int i = 0; i < ROWS; i++) {
        wait(&full[(first + i) % STAGES], (first + i) / STAGES & 1);
        sum += row[(first + i) % STAGES][lane()];
      }
      rolled for (int i = 0; i < ROWS; i++) arrive(&empty[(first + i) % STAGES]);
    }
    out[threadIdx.x - 32] = sum;
  }
}
