// Roles come to one named barrier by aligned instructions in different branches, so that the
// elected lane of a warp meets it at another place than the other lanes do. The fix: barrier.sync,
// which is not aligned.
// https://github.com/mlc-ai/TIRx-kernels/pull/21
#include "../gpu.cuh"

constexpr int DONE = 1;

INLINE void meet() {
  if (FIXED) syncNamedUnaligned(DONE, 64);
  else syncNamed(DONE, 64);
}

extern "C" __global__ void reduce_roles(const char *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t tile[32];
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0) {
      expect(&full, 128);
      copy(tile, in, 128, &full);
      wait(&full, 0);
      meet();
    } else {
      meet();
    }
  } else {
    meet();
    out[lane()] = tile[lane()];
  }
}
