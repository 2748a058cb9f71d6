// The load role numbers scratch slots by a uniform tile count, skipped tiles included, and the role
// that reads them numbers them by the tiles that it gets: a tile is copied into a slot that is still
// read. The fix: both count the tiles that there are.
// https://github.com/flashinfer-ai/flashinfer/pull/2957
#include "../gpu.cuh"

constexpr int SLOTS = 2, BYTES = 128, MOST = 2;

extern "C" __global__ void ragged_tiles(const int *tiles, const char *in, uint32_t *out, int heads) {
  __shared__ alignas(128) uint32_t scratch[SLOTS][BYTES / 4];
  __shared__ Bar full[SLOTS], empty[SLOTS];
  if (threadIdx.x < SLOTS) {
    init(&full[threadIdx.x], 1);
    init(&empty[threadIdx.x], 32);
  }
  __syncthreads();
  int n = 0;
  rolled for (int head = 0; head < heads; head++) {
    rolled for (int t = 0; t < tiles[head]; t++, n++) {
      int s = n % SLOTS, phase = n / SLOTS & 1;
      if (warp() == 0) {
        int slot = FIXED ? s : (head * MOST + t) % SLOTS;
        if (lane() == 0) {
          wait(&empty[s], phase ^ 1);
          expect(&full[s], BYTES);
          copy(scratch[slot], in + n * BYTES, BYTES, &full[s]);
        }
      } else {
        wait(&full[s], phase);
        out[n * 32 + lane()] = scratch[s][lane()];
        arrive(&empty[s]);
      }
    }
  }
}
