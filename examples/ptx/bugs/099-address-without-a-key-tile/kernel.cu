// Without a tile of keys nothing orders the epilogue's read of the tensor memory address after the
// MMA warp has written it. The fix: allocate and free only if there is a tile.
// https://github.com/NVIDIA/cutlass/pull/2835
#include "../tensor-memory.cuh"

extern "C" __global__ void no_keys(uint32_t *out, int tiles) {
  __shared__ uint32_t columns;
  __shared__ Bar computed;
  if (threadIdx.x == 0) {
    init(&computed, 32);
    fenceInit();
  }
  __syncthreads();
  if (warp() == 0) {
    if (!FIXED || tiles > 0) {
      allocate(&columns, 32);
      relinquish();
    }
    rolled for (int t = 0; t < tiles; t++) {
      storeColumn(columns, t);
      waitStores();
      fenceBefore();
      arrive(&computed);
    }
  } else {
    rolled for (int t = 0; t < tiles; t++) {
      wait(&computed, t & 1);
      fenceAfter();
      out[t * 32 + lane()] = t;
    }
    if (!FIXED || tiles > 0) deallocate(columns, 32);
  }
}
