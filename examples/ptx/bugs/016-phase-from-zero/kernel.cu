// The phase of a ring is k / STAGES, and the loop does not begin at k = 0: the first wait names a
// phase of a fresh barrier that looks as if it were over. The fix: subtract where the loop begins.
// https://github.com/tile-ai/tilelang/pull/754
#include "../gpu.cuh"

constexpr int STAGES = 2, BYTES = 128;

extern "C" __global__ void late_loop(const char *in, uint32_t *out, int first, int ks) {
  __shared__ alignas(128) uint32_t tile[STAGES][BYTES / 4];
  __shared__ Bar full[STAGES], empty[STAGES];
  if (threadIdx.x < STAGES) {
    init(&full[threadIdx.x], 1);
    init(&empty[threadIdx.x], 32);
  }
  __syncthreads();
  int from = FIXED ? first : 0;
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int k = first; k < ks; k++) {
        int s = (k - first) % STAGES;
        wait(&empty[s], ((k - first) / STAGES & 1) ^ 1);
        expect(&full[s], BYTES);
        copy(tile[s], in + k * BYTES, BYTES, &full[s]);
      }
  } else {
    uint32_t sum = 0;
    rolled for (int k = first; k < ks; k++) {
      int s = (k - first) % STAGES;
      wait(&full[s], (k - from) / STAGES & 1);
      sum += tile[s][lane()];
      arrive(&empty[s]);
    }
    out[lane()] = sum;
  }
}
