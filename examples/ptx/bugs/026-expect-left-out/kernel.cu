// The load warp arrives for its copy and never says how many bytes it brings: the arrival alone
// completes the phase. The fix: expect the bytes before the copy.
// https://github.com/tile-ai/tilelang/pull/241
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void inject_expect(const char *in, uint32_t *out, int tiles) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int t = 0; t < tiles; t++) {
        wait(&empty, (t & 1) ^ 1);
        if (FIXED) expectOnly(&full, BYTES);
        copy(tile, in + t * BYTES, BYTES, &full);
        arrive(&full);
      }
  } else {
    rolled for (int t = 0; t < tiles; t++) {
      wait(&full, t & 1);
      out[t * 32 + lane()] = tile[lane()];
      arrive(&empty);
    }
  }
}
