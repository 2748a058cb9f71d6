// The kernel expects the bytes of the rows that the batch has; the tensor map delivers those of a
// whole tile. The fix: expect what the box has.
// https://github.com/mirage-project/mirage/pull/705
#include "../gpu.cuh"

constexpr int STAGES = 2, ROW = 128, TILE_ROWS = 16;

extern "C" __global__ void splitk_linear(const __grid_constant__ Map b, uint32_t *out, int batch, int steps) {
  __shared__ alignas(128) uint32_t sB[STAGES][TILE_ROWS * ROW / 4];
  __shared__ Bar full[STAGES], empty[STAGES];
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; s++) {
      init(&full[s], 1);
      init(&empty[s], 32);
    }
    fenceInit();
  }
  __syncthreads();
  int rows = FIXED ? TILE_ROWS : batch < TILE_ROWS ? batch : TILE_ROWS;
  uint32_t sum = 0;
  if (warp() == 0 && lane() == 0) {
    rolled for (int k = 0; k < steps; k++) {
      int s = k % STAGES;
      wait(&empty[s], (k / STAGES & 1) ^ 1);
      expect(&full[s], rows * ROW);
      copyTile(sB[s], &b, k * 64, 0, &full[s]);
    }
  }
  if (warp() == 1) {
    rolled for (int k = 0; k < steps; k++) {
      int s = k % STAGES;
      wait(&full[s], k / STAGES & 1);
      sum += sB[s][lane()];
      arrive(&empty[s]);
    }
    out[lane()] = sum;
  }
}
