// The epilogue begins each tile at stage 0, although the last tile ended there and its store is open.
// The fix: the epilogue counts its own tiles.
// https://github.com/NVIDIA/cutlass/pull/3636
#include "../gpu.cuh"

constexpr int SUBTILES = 4, STAGES = 3, BYTES = 512;

extern "C" __global__ void clc_epilogue(char *out, int tiles) {
  __shared__ alignas(128) uint32_t sC[STAGES][BYTES / 4];
  rolled for (int t = 0; t < tiles; t++) {
    rolled for (int sub = 0; sub < SUBTILES; sub++) {
      int s = ((FIXED ? t : 0) * SUBTILES + sub) % STAGES;
      if (threadIdx.x == 0) waitBulkRead<STAGES - 1>();
      syncNamed(1, 128);
      sC[s][threadIdx.x] = t + sub;
      fenceAsync();
      syncNamed(1, 128);
      if (threadIdx.x == 0) {
        storeBulk(out + (t * SUBTILES + sub) * BYTES, sC[s], BYTES);
        commitBulk();
      }
    }
  }
  if (threadIdx.x == 0) waitBulk<0>();
}
