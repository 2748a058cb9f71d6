// Each round waits for a barrier of its own, with the parity of the loop: the second round waits
// for parity 1 of a fresh barrier, which passes at once. The fix: a parity that follows the barrier.
// https://github.com/tile-ai/tilelang/issues/2927
#include "../gpu.cuh"

constexpr int ROUNDS = 3, BYTES = 128;

extern "C" __global__ void copies_in_turn(const char *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t tile[ROUNDS][BYTES / 4];
  __shared__ Bar landed[ROUNDS];
  if (threadIdx.x < ROUNDS) init(&landed[threadIdx.x], 1);
  __syncthreads();
  rolled for (int k = 0; k < ROUNDS; k++) {
    if (threadIdx.x == 0) {
      expect(&landed[k], BYTES);
      copy(tile[k], in + k * BYTES, BYTES, &landed[k]);
    }
    wait(&landed[k], FIXED ? 0 : k & 1);
    out[k * 64 + threadIdx.x] = tile[k][lane()];
  }
}
