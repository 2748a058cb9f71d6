// The warps of a partition store into a view of a shared buffer and load from the buffer, and the
// compiler saw no alias between the two, hence no barrier. The fix: the barrier of the partition.
// https://github.com/triton-lang/triton/pull/6441
#include "../gpu.cuh"

extern "C" __global__ void captured_view(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t memory[2][128];
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, 32);
  __syncthreads();
  if (warp() == 4) {
    for (int i = 0; i < 4; i++) memory[0][i * 32 + lane()] = in[i * 32 + lane()];
    arrive(&full);
  } else {
    wait(&full, 0);
    uint32_t *view = memory[1];
    view[threadIdx.x] = memory[0][threadIdx.x] * 2;
    if (FIXED) syncNamed(1, 128);
    out[threadIdx.x] = memory[1][127 - threadIdx.x];
  }
}
