// All warps store both operands to shared memory and meet, and one thread issues the product, which
// reads them through the async proxy: the pass that adds fences knew Hopper's product alone. The
// fix: fence before the barrier.
// https://github.com/triton-lang/triton/pull/6405
#include "../tensor-memory.cuh"

constexpr int BYTES = 4096;

extern "C" __global__ void fifth_generation(const uint4 *in, uint32_t *out) {
  __shared__ alignas(1024) uint4 a[BYTES / 16], b[BYTES / 16];
  __shared__ uint32_t columns;
  __shared__ Bar done;
  if (threadIdx.x == 0) {
    init(&done, 1);
    fenceInit();
  }
  if (warp() == 1) allocate(&columns, 32);
  fenceBefore();
  rolled for (int i = threadIdx.x; i < BYTES / 16; i += 128) {
    a[i] = in[i];
    b[i] = in[i + BYTES / 16];
  }
  if (FIXED) fenceAsync();
  __syncthreads();
  fenceAfter();
  uint32_t d = columns;
  if (threadIdx.x == 0) {
    mma(d, operand100(a), operand100(b), shape(64, 32));
    commit(&done);
  }
  syncWarp();
  wait(&done, 0);
  fenceAfter();
  uint32_t v = loadColumn(d + lanesOf(warp()));
  waitLoads();
  out[threadIdx.x] = v;
  fenceBefore();
  __syncthreads();
  fenceAfter();
  if (warp() == 1) {
    relinquish();
    deallocate(d, 32);
  }
}
