// Two reductions of one warpgroup use the same named barrier: a warp of one can meet a warp of the
// other there. The fix: an id for each reduction.
// https://github.com/flashinfer-ai/flashinfer/pull/4533
#include "../gpu.cuh"

extern "C" __global__ void correction(float *out, int rows) {
  __shared__ float part[2][2][32];
  int reduction = warp() / 2, half = warp() % 2;
  int id = FIXED ? 1 + reduction : 1;
  rolled for (int row = 0; row < rows; row++) {
    part[reduction][half][lane()] = row * 0.5f + threadIdx.x;
    syncNamed(id, 64);
    out[(row * 4 + warp()) * 32 + lane()] = part[reduction][0][lane()] + part[reduction][1][lane()];
    syncNamed(id, 64);
  }
}
