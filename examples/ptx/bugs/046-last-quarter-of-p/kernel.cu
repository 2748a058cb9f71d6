// Softmax stores the last quarter of P to tensor memory and signals the MMA warp at once; after the
// first three it waits for its stores. The fix: wait::st before the second arrival, too.
// https://github.com/Dao-AILab/flash-attention/commit/e540fc1b
#include "../tensor-memory.cuh"

constexpr int BYTES = 4096, P = 32;

extern "C" __global__ void two_part_p(const char *in, uint32_t *out) {
  __shared__ alignas(1024) char v_tile[BYTES];
  __shared__ uint32_t columns;
  __shared__ Bar full, first, last, done;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&first, 128);
    init(&last, 128);
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
      copy(v_tile, in, BYTES, &full);
      wait(&full, 0);
      wait(&first, 0);
      fenceAfter();
      mmaTensorA(o, p, operand100(v_tile), shape(128, 32));
      wait(&last, 0);
      fenceAfter();
      mmaTensorA(o, p + 8, operand100(v_tile), shape(128, 32));
      commit(&done);
    }
    syncWarp();
  } else {
    uint32_t mine = p + lanesOf(warp());
    rolled for (int i = 0; i < 8; i++) storeColumn(mine + i, threadIdx.x);
    waitStores();
    fenceBefore();
    arrive(&first);
    rolled for (int i = 8; i < 16; i++) storeColumn(mine + i, threadIdx.x);
    if (FIXED) waitStores();
    fenceBefore();
    arrive(&last);
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
