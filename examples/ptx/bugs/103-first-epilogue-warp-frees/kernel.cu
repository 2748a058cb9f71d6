// A warp of the epilogue frees the accumulators after its own last load, and the other warps of the
// epilogue may still load theirs. The fix: a named barrier of the epilogue warps before it.
// https://github.com/Dao-AILab/quack/commit/14e9a0b
#include "../tensor-memory.cuh"

constexpr int BYTES = 8192, EPILOGUE = 1;

extern "C" __global__ void epilogue_frees(const char *in, uint32_t *out) {
  __shared__ alignas(1024) char tile[BYTES];
  __shared__ uint32_t columns;
  __shared__ Bar full, d_full;
  if (threadIdx.x == 128) {
    init(&full, 1);
    init(&d_full, 1);
    fenceInit();
  }
  if (warp() == 0) {
    allocate(&columns, 32);
    relinquish();
  }
  fenceBefore();
  __syncthreads();
  fenceAfter();
  uint32_t d = columns;
  if (warp() == 4) {
    if (lane() == 0) {
      expect(&full, BYTES);
      copy(tile, in, BYTES, &full);
      wait(&full, 0);
      mma(d, operand100(tile), operand100(tile + BYTES / 2), shape(64, 32));
      commit(&d_full);
    }
  } else {
    wait(&d_full, 0);
    fenceAfter();
    uint32_t v = loadColumn(d + lanesOf(warp()));
    waitLoads();
    out[threadIdx.x] = v;
    fenceBefore();
    if (FIXED) syncNamed(EPILOGUE, 128);
    fenceAfter();
    if (warp() == 0) deallocate(d, 32);
  }
}
