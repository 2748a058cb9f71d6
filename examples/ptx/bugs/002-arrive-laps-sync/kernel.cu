// Math hands a tile back by an arrival that does not block, and arrives for the next tile at the
// same named barrier before the IO warp has come for this one. The fix: two barriers in turn.
// https://github.com/flashinfer-ai/flashinfer/pull/4732
#include "../gpu.cuh"

constexpr int STAGES = 2;
constexpr int BYTES = 256;

extern "C" __global__ void sparse_prefill(const char *in, uint32_t *out, int tiles) {
  __shared__ alignas(128) uint32_t tile[STAGES][BYTES / 4];
  __shared__ Bar full[STAGES];
  if (threadIdx.x < STAGES) init(&full[threadIdx.x], 1);
  __syncthreads();
  if (warp() == 2) {
    rolled for (int t = 0; t < tiles; t++) {
      if (t >= STAGES) syncNamed(FIXED ? 1 + t % 2 : 1, 96);
      if (lane() == 0) {
        expect(&full[t % STAGES], BYTES);
        copy(tile[t % STAGES], in + t * BYTES, BYTES, &full[t % STAGES]);
      }
    }
  } else {
    rolled for (int t = 0; t < tiles; t++) {
      wait(&full[t % STAGES], t / STAGES & 1);
      out[t * 64 + threadIdx.x] = tile[t % STAGES][threadIdx.x];
      if (t + STAGES < tiles) arriveNamed(FIXED ? 1 + t % 2 : 1, 96);
    }
  }
}
