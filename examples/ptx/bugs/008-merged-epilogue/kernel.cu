// One warp stores the results of two activation groups, and nothing makes it wait until both have
// written theirs. The fix: a named barrier where the groups arrive and the store warp waits.
// https://github.com/facebookexperimental/triton/pull/378
#include "../gpu.cuh"

constexpr int WRITTEN = 1;

extern "C" __global__ void pingpong_epilogue(const uint32_t *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t half[2][64];
  if (warp() < 4) {
    int group = warp() / 2, t = threadIdx.x % 64;
    half[group][t] = in[threadIdx.x] * 2;
    fenceAsync();
    if (FIXED) arriveNamed(WRITTEN, 160);
  } else {
    if (FIXED) syncNamed(WRITTEN, 160);
    if (lane() == 0) {
      storeBulk(out, half, sizeof half);
      commitBulk();
      waitBulk<0>();
    }
  }
}
