// Of two rows of statistics that copies bring, one is given back without the fence that the other
// has. The fix: a fence before its release, too.
// https://github.com/Dao-AILab/flash-attention/commit/d91ea94f
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void backward_rows(const char *in, uint32_t *out, int tiles) {
  __shared__ alignas(128) uint32_t stats[2][BYTES / 4];
  __shared__ Bar full[2], empty[2];
  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], 1);
    init(&empty[threadIdx.x], 32);
    fenceInit();
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int n = 0; n < 2 * tiles; n++) {
        wait(&empty[n % 2], (n / 2 & 1) ^ 1);
        expect(&full[n % 2], BYTES);
        copy(stats[n % 2], in + n * BYTES, BYTES, &full[n % 2]);
      }
  } else {
    rolled for (int t = 0; t < tiles; t++) {
      wait(&full[0], t & 1);
      uint32_t lse = stats[0][lane()];
      if (FIXED) fenceAsync();
      arrive(&empty[0]);
      wait(&full[1], t & 1);
      uint32_t psum = stats[1][lane()];
      fenceAsync();
      arrive(&empty[1]);
      out[t * 32 + lane()] = lse + psum;
    }
  }
}
