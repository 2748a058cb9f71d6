// The only fence before the final store is inside a loop that an empty sequence skips: the store can
// read what was there before the zeros. The fix: the threads that wrote fence before the barrier.
// https://github.com/MoonshotAI/FlashKDA/issues/24
#include "../gpu.cuh"

extern "C" __global__ void recurrent_state(char *out, int tiles) {
  __shared__ alignas(128) uint32_t state[64];
  state[threadIdx.x] = 0;
  rolled for (int t = 0; t < tiles; t++) {
    state[threadIdx.x] += t;
    fenceAsync();
  }
  if (FIXED) fenceAsync();
  __syncthreads();
  if (threadIdx.x == 0) {
    storeBulk(out, state, sizeof state);
    commitBulk();
    waitBulk<0>();
  }
}
