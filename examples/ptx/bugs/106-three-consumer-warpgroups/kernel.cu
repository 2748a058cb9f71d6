// A pair of register counts that fits one producer and two consumer warpgroups is given to a kernel
// with three consumers: 24 + 3 * 240 is more than there are. The fix: 24 and 160.
// https://github.com/tile-ai/tilelang/pull/2406
#include "../gpu.cuh"

extern "C" __global__ void __launch_bounds__(512, 1) three_consumers(uint32_t *out) {
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  if (threadIdx.x < 128) {
    lessRegisters<24>();
    if (threadIdx.x == 0) arrive(&full);
  } else {
    moreRegisters<FIXED ? 160 : 240>();
    wait(&full, 0);
    out[threadIdx.x] = threadIdx.x;
  }
}
