// A compiler pass copied a warp's barrier into both branches before it: the lanes wait at two
// copies, and neither ever sees the whole warp. The fix keeps one barrier after the branches.
// https://github.com/facebookexperimental/triton/pull/1040
#include "../gpu.cuh"

extern "C" __global__ void jump_threaded(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t exchanged[64];
  int id = 14 + warp();
  if (lane() < 16) {
    exchanged[threadIdx.x] = in[threadIdx.x] * 3;
    if (!FIXED) syncNamed(id, 32);
  } else {
    exchanged[threadIdx.x] = 7;
    if (!FIXED) syncNamed(id, 32);
  }
  if (FIXED) syncNamed(id, 32);
  out[threadIdx.x] = exchanged[threadIdx.x ^ 31];
}
