// One warp issues the copy of the scales to tensor memory while the other warps may still store them
// to shared memory. The fix: the barrier that the compiler did not know it needed.
// https://github.com/triton-lang/triton/pull/6061
#include "../tensor-memory.cuh"

extern "C" __global__ void block_scales(const uint4 *in, uint32_t *out) {
  __shared__ alignas(1024) uint4 scales[32];
  __shared__ uint32_t columns;
  __shared__ Bar done;
  if (threadIdx.x == 0) {
    init(&done, 1);
    fenceInit();
  }
  if (warp() == 1) allocate(&columns, 32);
  fenceBefore();
  __syncthreads();
  fenceAfter();
  uint32_t t = columns;
  if (lane() < 8) scales[warp() * 8 + lane()] = in[warp() * 8 + lane()];
  fenceAsync();
  if (FIXED) __syncthreads();
  else syncWarp();
  if (threadIdx.x == 0) {
    copyScales(t, operand100(scales));
    commit(&done);
  }
  syncWarp();
  wait(&done, 0);
  fenceAfter();
  uint32_t v = loadColumn(t + lanesOf(warp()));
  waitLoads();
  out[threadIdx.x] = v;
  fenceBefore();
  __syncthreads();
  fenceAfter();
  if (warp() == 1) {
    relinquish();
    deallocate(t, 32);
  }
}
