// The scheduler overwrites the coordinates of a tile before all five warps have copied them: the
// mailbox has a barrier that says ready, and none that says free. The fix adds it.
// https://github.com/NVlabs/cuda-oxide/pull/1066
#include "../gpu.cuh"

constexpr int READERS = 5;

extern "C" __global__ void mailbox(uint32_t *out, int tiles) {
  __shared__ uint32_t coordinates;
  __shared__ Bar ready, taken;
  if (threadIdx.x == 0) {
    init(&ready, 1);
    init(&taken, READERS);
  }
  __syncthreads();
  if (warp() == READERS) {
    if (lane() == 0)
      rolled for (int t = 0; t < tiles; t++) {
        if (FIXED) wait(&taken, (t & 1) ^ 1);
        coordinates = t;
        arrive(&ready);
      }
  } else if (lane() == 0) {
    rolled for (int t = 0; t < tiles; t++) {
      wait(&ready, t & 1);
      uint32_t mine = coordinates;
      if (FIXED) arrive(&taken);
      out[mine * READERS + warp()] = 1;
    }
  }
}
