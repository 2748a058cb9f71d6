// The answer of the cluster launch control goes to both CTAs and counts its bytes in both, and only
// CTA 0 expects them. The fix: every CTA expects the bytes on its own barrier.
// https://github.com/facebookexperimental/triton/pull/908
#include "../tensor-memory.cuh"

extern "C" __global__ void cancel_in_pairs(uint32_t *out) {
  __shared__ alignas(16) uint4 answer;
  __shared__ Bar full;
  if (threadIdx.x == 0) {
    init(&full, 1);
    fenceInit();
  }
  syncCluster();
  int tile = blockIdx.x / 2, parity = 0;
  rolled while (true) {
    out[(tile * 2 + cta()) * 32 + lane()] = tile;
    if (lane() == 0 && (FIXED || cta() == 0)) expect(&full, 16);
    syncCluster();
    if (lane() == 0 && cta() == 0) cancelNextForAll(&answer, &full);
    syncWarp();
    wait(&full, parity);
    parity ^= 1;
    int next = firstOf(&answer);
    fenceAsync();
    if (next < 0) break;
    tile = next / 2;
  }
  syncCluster();
}
