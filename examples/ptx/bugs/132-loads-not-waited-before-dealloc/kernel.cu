// Warps let tensor memory be freed while their last tcgen05.ld is open, because nothing uses what it
// loads. The fix: tcgen05.wait::ld before the arrival.
// https://github.com/NVIDIA/cutlass/pull/3652
#include "../tensor-memory.cuh"

constexpr int BYTES = 8192;
extern "C" __global__ void tgv_gqa(const __grid_constant__ Map b, uint32_t *out) {
  __shared__ alignas(1024) char tile[BYTES];
  __shared__ uint32_t columns;
  __shared__ Bar full, done, released;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&done, 1);
    init(&released, 64);
    fenceInit();
  }
  if (warp() == 0) allocate(&columns, 32);
  fenceBefore();
  __syncthreads();
  fenceAfter();
  uint32_t d = columns;
  if (warp() == 0) {
    if (lane() == 0) {
      expect(&full, BYTES);
      copyTile(tile, &b, 0, 0, &full);
      wait(&full, 0);
      mma(d, operand100(tile), operand100(tile + BYTES / 2), shape(64, 32));
      commit(&done);
    }
    syncWarp();
    arrive(&released);
    wait(&released, 0);
    fenceAfter();
    relinquish();
    deallocate(d, 32);
  } else {
    wait(&done, 0);
    fenceAfter();
    uint32_t used = loadColumn(d + lanesOf(1));
    waitLoads();
    out[lane()] = used;
    loadColumn(d + lanesOf(1) + 1); // columns behind the last ones that are needed
    if (FIXED) waitLoads();
    fenceBefore();
    arrive(&released);
  }
}
