// Two warpgroups ask for more registers, and none gives any back. The fix: the other two decrease,
// 80 + 2 * 168 + 88 = 504.
// https://github.com/pytorch/helion/pull/3620
#include "../gpu.cuh"

extern "C" __global__ void __launch_bounds__(512, 1) backward_pair(uint32_t *out) {
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  int group = threadIdx.x / 128;
  if (group == 0) {
    if (FIXED) lessRegisters<80>();
    if (threadIdx.x == 0) arrive(&full);
  } else if (group == 3) {
    if (FIXED) lessRegisters<88>();
  } else {
    moreRegisters<168>();
    wait(&full, 0);
    out[threadIdx.x] = threadIdx.x;
  }
}
