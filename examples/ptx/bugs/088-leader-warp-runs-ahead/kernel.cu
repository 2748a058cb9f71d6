// The leader warp issues the next product while the other warps may still load the accumulator of
// the last one. The fix: the barrier of all warps that the compiler did not know it needed.
// https://github.com/triton-lang/triton/issues/9871
#include "../tensor-memory.cuh"

constexpr int BYTES = 4096;

extern "C" __global__ void recurrence(const uint4 *in, uint32_t *out, int steps) {
  __shared__ alignas(1024) uint4 a[BYTES / 16];
  __shared__ uint32_t columns;
  __shared__ Bar done;
  if (threadIdx.x == 0) {
    init(&done, 1);
    fenceInit();
  }
  if (warp() == 1) allocate(&columns, 32);
  fenceBefore();
  a[threadIdx.x] = in[threadIdx.x];
  a[threadIdx.x + 128] = in[threadIdx.x + 128];
  fenceAsync();
  __syncthreads();
  fenceAfter();
  uint32_t d = columns;
  rolled for (int k = 0; k < steps; k++) {
    if (threadIdx.x == 0) {
      mma(d, operand100(a), operand100(a), shape(64, 32));
      commit(&done);
    }
    syncWarp();
    wait(&done, k & 1);
    fenceAfter();
    uint32_t v = loadColumn(d + lanesOf(warp()));
    waitLoads();
    out[k * 128 + threadIdx.x] = v;
    fenceBefore();
    if (FIXED) __syncthreads();
    fenceAfter();
  }
  __syncthreads();
  fenceAfter();
  if (warp() == 1) {
    relinquish();
    deallocate(d, 32);
  }
}
