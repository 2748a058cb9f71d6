// A channel between partitions that threads fill in shared memory for the tensor core had no fence;
// those that copies fill need none. The fix: the lowering adds it before the arrival.
// https://github.com/triton-lang/triton/pull/8317
#include "../tensor-memory.cuh"

constexpr int BYTES = 4096;

extern "C" __global__ void channel_of_p(const char *in, uint32_t *out) {
  __shared__ alignas(1024) char v_tile[BYTES];
  __shared__ alignas(1024) uint4 p[BYTES / 16];
  __shared__ uint32_t columns;
  __shared__ Bar full, p_full, done;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&p_full, 128);
    init(&done, 1);
    fenceInit();
  }
  if (warp() == 4) allocate(&columns, 32);
  fenceBefore();
  __syncthreads();
  fenceAfter();
  uint32_t d = columns;
  if (warp() == 4) {
    if (lane() == 0) {
      expect(&full, BYTES);
      copy(v_tile, in, BYTES, &full);
      wait(&full, 0);
      wait(&p_full, 0);
      mma(d, operand100(p), operand100(v_tile), shape(64, 32));
      commit(&done);
    }
    syncWarp();
  } else {
    p[threadIdx.x] = make_uint4(1, 2, 3, threadIdx.x);
    p[threadIdx.x + 128] = make_uint4(1, 2, 3, threadIdx.x);
    if (FIXED) fenceAsync();
    arrive(&p_full);
    wait(&done, 0);
    fenceAfter();
    uint32_t v = loadColumn(d + lanesOf(warp()));
    waitLoads();
    out[threadIdx.x] = v;
    fenceBefore();
  }
  __syncthreads();
  fenceAfter();
  if (warp() == 4) {
    relinquish();
    deallocate(d, 32);
  }
}
