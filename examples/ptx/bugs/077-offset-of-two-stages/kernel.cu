// Softmax stores the row maxima behind two stages of row sums, and this kernel has one: they lie in
// the output tile, which is next in shared memory. The fix: the number of stages instead of 2.
// https://github.com/Dao-AILab/flash-attention/pull/2229
#include "../gpu.cuh"

constexpr int STAGES = 1, ROWS = 32;

extern "C" __global__ void forward_sums(uint32_t *out, int tiles) {
  __shared__ alignas(128) uint32_t memory[2 * STAGES * ROWS + ROWS];
  uint32_t *sums = memory, *maxima = memory + (FIXED ? STAGES : 2) * ROWS, *o = memory + 2 * STAGES * ROWS;
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 32);
    init(&empty, 1);
  }
  __syncthreads();
  if (warp() == 0) {
    rolled for (int t = 0; t < tiles; t++) {
      sums[lane()] = t;
      maxima[lane()] = t + lane();
      syncWarp();
      uint32_t scaled = sums[31 - lane()] + maxima[31 - lane()];
      syncWarp();
      wait(&empty, (t & 1) ^ 1);
      o[lane()] = scaled;
      fenceAsync();
      arrive(&full);
    }
  } else if (lane() == 0) {
    rolled for (int t = 0; t < tiles; t++) {
      wait(&full, t & 1);
      storeBulk(out + t * ROWS, o, ROWS * 4);
      commitBulk();
      waitBulk<0>();
      arrive(&empty);
    }
  }
}
