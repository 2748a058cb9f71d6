// For an empty row of blocks the correction warp arrives on a barrier that the MMA warp does not
// wait for: from then on the phases of the two are apart. The fix: both skip an empty row.
// https://github.com/Dao-AILab/flash-attention/pull/2258
#include "../gpu.cuh"

extern "C" __global__ void sparse_rows(const int *blocks, uint32_t *out, int rows) {
  __shared__ uint32_t o[32];
  __shared__ Bar computed, rescaled;
  if (threadIdx.x == 0) {
    init(&computed, 32);
    init(&rescaled, 32);
  }
  __syncthreads();
  int n = 0;
  if (warp() == 0) {
    rolled for (int row = 0; row < rows; row++) {
      if (blocks[row] == 0) continue;
      wait(&rescaled, (n & 1) ^ 1);
      o[lane()] = row;
      arrive(&computed);
      n++;
    }
  } else {
    rolled for (int row = 0; row < rows; row++) {
      if (blocks[row] == 0) {
        out[row * 32 + lane()] = 0;
        if (!FIXED) arrive(&rescaled);
        continue;
      }
      wait(&computed, n & 1);
      out[row * 32 + lane()] = o[lane()];
      arrive(&rescaled);
      n++;
    }
  }
}
