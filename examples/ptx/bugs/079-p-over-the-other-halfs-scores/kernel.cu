// One warpgroup stores its P into columns of the scores that the other one has yet to load. The fix:
// a barrier by which the other half says that its scores are loaded. (How the scores get there is
// left out: each warpgroup stores its half.)
// https://github.com/NVIDIA/cudnn-frontend/pull/985
#include "../tensor-memory.cuh"

constexpr int LOADED = 1;

extern "C" __global__ void masked_halves(uint32_t *out) {
  __shared__ uint32_t columns;
  int group = threadIdx.x / 128;
  if (warp() == 0) allocate(&columns, 32);
  fenceBefore();
  __syncthreads();
  fenceAfter();
  uint32_t mine = columns + lanesOf(warp() % 4);
  storeColumn(mine + group, threadIdx.x);
  waitStores();
  fenceBefore();
  __syncthreads();
  fenceAfter();
  uint32_t score = loadColumn(mine + group);
  waitLoads();
  if (FIXED) {
    fenceBefore();
    syncNamed(LOADED, 256);
    fenceAfter();
  }
  if (group == 0) {
    storeColumn(mine + 1, score * 2);
    waitStores();
  }
  out[threadIdx.x] = score;
  fenceBefore();
  __syncthreads();
  fenceAfter();
  if (warp() == 0) {
    relinquish();
    deallocate(columns, 32);
  }
}
