// All 128 threads of the producer arrive on a barrier that was initialized for one. The fix: the
// arrival is under the same election as the copy.
// https://github.com/tile-ai/tilelang/pull/1396
#include "../gpu.cuh"

constexpr int BYTES = 512;

extern "C" __global__ void inject_barriers(const char *in, uint32_t *out, int tiles) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 128);
  }
  __syncthreads();
  int t = threadIdx.x % 128;
  if (threadIdx.x < 128) {
    rolled for (int k = 0; k < tiles; k++) {
      if (t == 0) {
        wait(&empty, (k & 1) ^ 1);
        expectOnly(&full, BYTES);
        copy(tile, in + k * BYTES, BYTES, &full);
      }
      if (!FIXED || t == 0) arrive(&full);
    }
  } else {
    rolled for (int k = 0; k < tiles; k++) {
      wait(&full, k & 1);
      out[k * 128 + t] = tile[t];
      arrive(&empty);
    }
  }
}
