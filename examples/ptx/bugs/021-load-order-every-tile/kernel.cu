// The epilogue's load warp waits at the load-order barrier for every tile, and the main load warp
// arrives there once. The fix: wait before the first tile only.
// https://github.com/NVIDIA/cutlass/pull/2172
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void load_order(const char *a, const char *c, uint32_t *out, int tiles) {
  __shared__ alignas(128) uint32_t main_tile[BYTES / 4], old[BYTES / 4];
  __shared__ Bar full, empty, c_full, c_empty, order;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
    init(&c_full, 1);
    init(&c_empty, 32);
    init(&order, 1);
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int t = 0; t < tiles; t++) {
        wait(&empty, (t & 1) ^ 1);
        expect(&full, BYTES);
        copy(main_tile, a + t * BYTES, BYTES, &full);
        if (t == 0) arrive(&order);
      }
  } else if (warp() == 1) {
    if (lane() == 0)
      rolled for (int t = 0; t < tiles; t++) {
        if (!FIXED || t == 0) wait(&order, t & 1);
        wait(&c_empty, (t & 1) ^ 1);
        expect(&c_full, BYTES);
        copy(old, c + t * BYTES, BYTES, &c_full);
      }
  } else {
    rolled for (int t = 0; t < tiles; t++) {
      wait(&full, t & 1);
      wait(&c_full, t & 1);
      out[t * 32 + lane()] = main_tile[lane()] + old[lane()];
      arrive(&empty);
      arrive(&c_empty);
    }
  }
}
