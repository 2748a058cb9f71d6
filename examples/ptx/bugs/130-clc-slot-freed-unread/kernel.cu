// Warps free a slot of the scheduler's ring before they read it, and not all of them are counted. The
// fix: read, then arrive, and count every warp that reads.
// https://github.com/tile-ai/tilelang/issues/2410
#include "../tensor-memory.cuh"

constexpr int STAGES = 2;

extern "C" __global__ void clc_gemm(uint32_t *out) {
  __shared__ alignas(16) uint4 answer;
  __shared__ int valid[STAGES];
  __shared__ Bar answered, arrived[STAGES], finished[STAGES];
  if (threadIdx.x == 0) {
    init(&answered, 1);
    for (int s = 0; s < STAGES; s++) {
      init(&arrived[s], 1);
      init(&finished[s], FIXED ? 3 : 2); // mma and two store warps, of which one is counted
    }
    fenceInit();
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0) {
      rolled for (int n = 0;; n++) {
        int s = n % STAGES;
        expect(&answered, 16);
        cancelNext(&answer, &answered);
        wait(&answered, n & 1);
        int x = firstOf(&answer);
        fenceAsync();
        wait(&finished[s], (n / STAGES & 1) ^ 1);
        valid[s] = x;
        arrive(&arrived[s]);
        if (x < 0) break;
      }
    }
  } else if (lane() == 0) {
    rolled for (int n = 0;; n++) {
      int s = n % STAGES;
      wait(&arrived[s], n / STAGES & 1);
      if (!FIXED && warp() < 3) arrive(&finished[s]);
      int x = valid[s];
      if (FIXED) arrive(&finished[s]);
      if (x < 0) break;
      out[warp() * 16 + n] = x;
    }
  }
}
