// The bytes that a pair of CTAs delivers to the barrier of its even CTA are expected once for each
// CTA of the cluster: right for a cluster of two, and twice too many in a cluster of four. The fix
// that the thread asks for: the multiplier is 2. (A candidate from reading the compiler.)
// https://github.com/tile-ai/tilelang/issues/2644
#include "../tensor-memory.cuh"

constexpr int BYTES = 4096, CTAS = 4;

extern "C" __global__ void pair_bytes(const __grid_constant__ Map a, uint32_t *out) {
  __shared__ alignas(1024) uint32_t tile[BYTES / 4];
  __shared__ Bar full;
  if (threadIdx.x == 0) {
    init(&full, 1);
    fenceInit();
  }
  syncCluster();
  if (lane() == 0) {
    if (cta() % 2 == 0) expect(&full, BYTES * (FIXED ? 2 : CTAS));
    copyTilePair(tile, &a, cta() * 64, 0, &full);
  }
  syncWarp();
  if (cta() % 2 == 0) {
    wait(&full, 0);
    out[cta() * 32 + lane()] = tile[lane()];
  }
  syncCluster();
}
