// Tensor memory is handed from the MMA to the epilogue and back by barriers alone; the manual wants
// a tcgen05.fence on both sides of each. The fix: the fences. (Kernels without them are known to
// work: --memory isa.)
// https://github.com/tile-ai/tilelang/pull/1980
#include "../tensor-memory.cuh"

constexpr int BYTES = 8192;

extern "C" __global__ void unfenced_columns(const char *in, uint32_t *out, int tiles) {
  __shared__ alignas(1024) char tile[BYTES];
  __shared__ uint32_t columns;
  __shared__ Bar full, o_full, o_empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&o_full, 1);
    init(&o_empty, 128);
    fenceInit();
  }
  if (warp() == 4) allocate(&columns, 32);
  fenceBefore();
  __syncthreads();
  fenceAfter();
  uint32_t o = columns;
  if (warp() == 4) {
    if (lane() == 0) {
      expect(&full, BYTES);
      copy(tile, in, BYTES, &full);
      wait(&full, 0);
      rolled for (int t = 0; t < tiles; t++) {
        wait(&o_empty, (t & 1) ^ 1);
        if (FIXED) fenceAfter();
        mma(o, operand100(tile), operand100(tile + BYTES / 2), shape(64, 32));
        commit(&o_full);
      }
    }
    syncWarp();
  } else {
    rolled for (int t = 0; t < tiles; t++) {
      wait(&o_full, t & 1);
      if (FIXED) fenceAfter();
      uint32_t v = loadColumn(o + lanesOf(warp()));
      waitLoads();
      out[t * 128 + threadIdx.x] = v;
      if (FIXED) fenceBefore();
      arrive(&o_empty);
    }
    fenceBefore();
  }
  __syncthreads();
  fenceAfter();
  if (warp() == 4) {
    relinquish();
    deallocate(o, 32);
  }
}
