// A buffer of the second loop lies over a barrier of the first loop, at which a warp may still wait.
// The fix: barriers live until the end of the function.
// https://github.com/facebookexperimental/triton/pull/861
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void two_loops(const char *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t memory[2 * BYTES / 4 + 32];
  Bar *first = (Bar *)memory;
  uint32_t *tile = memory + (FIXED ? 32 : 0);
  __shared__ Bar second;
  if (threadIdx.x == 0) {
    init(first, 32);
    init(&second, 1);
  }
  __syncthreads();
  if (warp() == 0) {
    arrive(first);
    if (lane() == 0) {
      expect(&second, BYTES);
      copy(tile, in, BYTES, &second);
    }
    syncWarp();
  } else {
    wait(first, 0);
    wait(&second, 0);
    out[lane()] = tile[lane()];
  }
}
