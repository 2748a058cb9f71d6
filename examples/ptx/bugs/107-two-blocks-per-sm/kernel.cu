// Two CTAs are to share a multiprocessor, and each asks for registers as if it were alone. The fix
// here: what the correction does with layouts that it has no counts for, no setmaxnreg.
// https://github.com/tile-ai/tilelang/issues/2559
#include "../gpu.cuh"

extern "C" __global__ void __launch_bounds__(384, 2) two_blocks(uint32_t *out) {
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  if (threadIdx.x < 128) {
    if (!FIXED) lessRegisters<24>();
    if (threadIdx.x == 0) arrive(&full);
  } else {
    if (!FIXED) moreRegisters<240>();
    wait(&full, 0);
    out[threadIdx.x] = threadIdx.x;
  }
}
