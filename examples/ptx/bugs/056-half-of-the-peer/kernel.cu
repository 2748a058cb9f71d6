// The MMA of a CTA pair reads what both CTAs have loaded, and its warp waits for the half of its own
// CTA. The fix here: a warp of the peer waits for its half and arrives at a barrier of the leader.
// https://github.com/NVIDIA/cutlass/issues/3643
#include "../tensor-memory.cuh"

constexpr int BYTES = 8192;

extern "C" __global__ void pair_scales(const __grid_constant__ Map b, uint32_t *out) {
  __shared__ alignas(1024) char tile[BYTES];
  __shared__ uint32_t columns;
  __shared__ Bar full, peer_full, done;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&peer_full, 1);
    init(&done, 1);
    fenceInit();
  }
  if (warp() == 1) allocatePair(&columns, 32);
  fenceBefore();
  __syncthreads();
  syncCluster();
  fenceAfter();
  uint32_t d = columns;
  if (warp() == 0 && lane() == 0) {
    expect(&full, BYTES);
    copyTile(tile, &b, 0, cta(), &full);
    if (cta() == 1 && FIXED) {
      wait(&full, 0);
      arriveAt(&peer_full, 0);
    }
  }
  if (warp() == 1 && lane() == 0 && cta() == 0) {
    wait(&full, 0);
    if (FIXED) waitCluster(&peer_full, 0);
    mmaPair(d, operand100(tile), operand100(tile + BYTES / 2), shape(128, 32));
    commitPair(&done, 3);
  }
  syncWarp();
  wait(&done, 0);
  if (!FIXED) wait(&full, 0);
  fenceAfter();
  if (warp() == 0) {
    uint32_t v = loadColumn(d);
    waitLoads();
    out[cta() * 32 + lane()] = v;
  }
  fenceBefore();
  __syncthreads();
  syncCluster();
  if (warp() == 1) {
    relinquishPair();
    deallocatePair(d, 32);
  }
}
