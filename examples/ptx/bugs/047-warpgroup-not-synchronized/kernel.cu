// An elected lane announces P after its own warp alone has stored it, and the other warps of the
// warpgroup may still store theirs. The fix: a named barrier of all compute warps.
// https://github.com/Dao-AILab/flash-attention/pull/2033
#include "../tensor-memory.cuh"

constexpr int BYTES = 4096, P = 32;

extern "C" __global__ void backward_p(const char *in, uint32_t *out) {
  __shared__ alignas(1024) char tile[BYTES];
  __shared__ uint32_t columns;
  __shared__ Bar full, p_full, done;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&p_full, 1);
    init(&done, 1);
    fenceInit();
  }
  if (warp() == 4) allocate(&columns, 64);
  fenceBefore();
  __syncthreads();
  fenceAfter();
  uint32_t o = columns, p = columns + P;
  if (warp() == 4) {
    if (lane() == 0) {
      expect(&full, BYTES);
      copy(tile, in, BYTES, &full);
      wait(&full, 0);
      wait(&p_full, 0);
      fenceAfter();
      mmaTensorA(o, p, operand100(tile), shape(128, 32));
      commit(&done);
    }
    syncWarp();
  } else {
    rolled for (int i = 0; i < 8; i++) storeColumn(p + lanesOf(warp()) + i, threadIdx.x);
    waitStores();
    fenceBefore();
    if (FIXED) syncNamed(1, 128);
    else syncWarp();
    if (threadIdx.x == 0) arrive(&p_full);
    wait(&done, 0);
    fenceAfter();
    uint32_t v = loadColumn(o + lanesOf(warp()));
    waitLoads();
    out[threadIdx.x] = v;
    fenceBefore();
  }
  __syncthreads();
  fenceAfter();
  if (warp() == 4) {
    relinquish();
    deallocate(columns, 64);
  }
}
