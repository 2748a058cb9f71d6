// A CTA of a pair retires while its peer still frees tensor memory for both. The fix: both CTAs meet
// at the cluster barrier as the last thing before that, and after it.
// https://github.com/sgl-project/sglang/pull/32954
#include "../tensor-memory.cuh"

constexpr int BYTES = 8192;

extern "C" __global__ void pair_exit(const __grid_constant__ Map b, uint32_t *out) {
  __shared__ alignas(1024) char tile[BYTES];
  __shared__ uint32_t columns;
  __shared__ Bar full, done;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&done, 1);
    fenceInit();
  }
  if (warp() == 1) allocatePair(&columns, 32);
  fenceBefore();
  __syncthreads();
  syncCluster();
  fenceAfter();
  uint32_t d = columns;
  if (threadIdx.x == 0) {
    if (cta() == 0) expect(&full, 2 * BYTES);
    copyTilePair(tile, &b, 0, cta(), &full);
  }
  if (threadIdx.x == 32 && cta() == 0) {
    wait(&full, 0);
    mmaPair(d, operand100(tile), operand100(tile + BYTES / 2), shape(128, 32));
    commitPair(&done, 3);
  }
  syncWarp();
  wait(&done, 0);
  fenceAfter();
  if (warp() == 0) {
    uint32_t v = loadColumn(d);
    waitLoads();
    out[cta() * 32 + lane()] = v;
  }
  fenceBefore();
  __syncthreads();
  if (FIXED) syncCluster();
  fenceAfter();
  if (warp() == 1) {
    relinquishPair();
    deallocatePair(d, 32);
  }
}
