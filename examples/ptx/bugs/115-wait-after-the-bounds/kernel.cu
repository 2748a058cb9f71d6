// The kernel waits for the one before it, and has read where to cut its input already. The fix: the
// wait comes before the cuts are read.
// https://github.com/NVIDIA/cccl/issues/3131
#include "../gpu.cuh"

extern "C" __global__ void merge(const volatile int *cuts, const int *keys, int *out) {
  if (FIXED) waitForGridBefore();
  int from = cuts[0];
  if (!FIXED) waitForGridBefore();
  out[threadIdx.x] = keys[(from & 63) + threadIdx.x];
}
