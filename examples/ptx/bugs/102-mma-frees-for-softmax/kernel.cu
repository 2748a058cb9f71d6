// The MMA warp frees tensor memory when its own loop is over, while softmax still reads what it has
// computed. The fix: the named barrier of the allocation once more.
// https://github.com/Dao-AILab/flash-attention/commit/dd8a2729
#include "../tensor-memory.cuh"

constexpr int BYTES = 8192, DONE = 1;

extern "C" __global__ void early_free(const char *in, uint32_t *out) {
  __shared__ alignas(1024) char tile[BYTES];
  __shared__ uint32_t columns;
  __shared__ Bar full, s_full;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&s_full, 1);
    fenceInit();
  }
  if (warp() == 4) allocate(&columns, 32);
  fenceBefore();
  __syncthreads();
  fenceAfter();
  uint32_t s = columns;
  if (warp() == 4) {
    if (lane() == 0) {
      expect(&full, BYTES);
      copy(tile, in, BYTES, &full);
      wait(&full, 0);
      mma(s, operand100(tile), operand100(tile + BYTES / 2), shape(64, 32));
      commit(&s_full);
      wait(&s_full, 0);
    }
    syncWarp();
    relinquish();
    if (FIXED) syncNamed(DONE, 160);
    fenceAfter();
    deallocate(s, 32);
  } else {
    wait(&s_full, 0);
    fenceAfter();
    uint32_t v = loadColumn(s + lanesOf(warp()));
    waitLoads();
    out[threadIdx.x] = v;
    fenceBefore();
    if (FIXED) arriveNamed(DONE, 160);
  }
}
