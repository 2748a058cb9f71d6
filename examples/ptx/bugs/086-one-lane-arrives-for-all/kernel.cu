// All lanes of the load warp store to shared memory, and one elected lane arrives for them: an
// arrival releases what its own thread has done. The fix here: a __syncwarp() before it.
// https://github.com/NVIDIA/cudnn-frontend/pull/426
#include "../gpu.cuh"

extern "C" __global__ void warp_loads(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t scales[32];
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  if (warp() == 0) {
    scales[lane()] = in[lane()];
    fenceAsync();
    if (FIXED) syncWarp();
    if (lane() == 0) arrive(&full);
  } else {
    wait(&full, 0);
    out[lane()] = scales[31 - lane()];
  }
}
