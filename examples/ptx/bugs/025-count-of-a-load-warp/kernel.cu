// The full barrier counts the 32 threads of the load warp, and one of them arrives. The answer in
// the thread: the arrival count of the producer is 1.
// https://github.com/NVIDIA/cutlass/issues/2404
#include "../gpu.cuh"

constexpr int BYTES = 512;

extern "C" __global__ void first_pipeline(const char *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, FIXED ? 1 : 32);
  __syncthreads();
  if (warp() == 4) {
    if (elected()) {
      expect(&full, BYTES);
      copy(tile, in, BYTES, &full);
    }
  } else {
    wait(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
  }
}
