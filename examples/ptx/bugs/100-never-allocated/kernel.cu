// A kernel uses tensor memory that it has never allocated. The fix: allocate before the first
// product and free after the last read.
// https://github.com/NVIDIA/cutlass/issues/2230
#include "../tensor-memory.cuh"

constexpr int BYTES = 8192;

extern "C" __global__ void first_tutorial(const char *in, uint32_t *out) {
  __shared__ alignas(1024) char tile[BYTES];
  __shared__ uint32_t columns;
  __shared__ Bar full, done;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&done, 1);
    columns = 0;
    fenceInit();
  }
  __syncthreads();
  if (FIXED && warp() == 1) allocate(&columns, 32);
  fenceBefore();
  __syncthreads();
  fenceAfter();
  uint32_t d = columns;
  if (warp() == 1) {
    if (lane() == 0) {
      expect(&full, BYTES);
      copy(tile, in, BYTES, &full);
      wait(&full, 0);
      mma(d, operand100(tile), operand100(tile + BYTES / 2), shape(64, 32));
      commit(&done);
    }
    syncWarp();
  } else {
    wait(&done, 0);
    fenceAfter();
    uint32_t v = loadColumn(d);
    waitLoads();
    out[lane()] = v;
    fenceBefore();
  }
  __syncthreads();
  fenceAfter();
  if (FIXED && warp() == 1) {
    relinquish();
    deallocate(d, 32);
  }
}
