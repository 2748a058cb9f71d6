// A warp waits in its CTA for what cp.async has brought and passes the news on to the leader, by a
// barrier whose release and acquire have CTA scope. The fix: both at cluster scope.
// https://github.com/NVIDIA/cutlass/issues/3324
#include "../gpu.cuh"

extern "C" __global__ void trampoline(const char *in, uint32_t *out) {
  __shared__ alignas(16) uint32_t b[32 * 4];
  __shared__ Bar copied, ready;
  if (threadIdx.x == 0) {
    init(&copied, 32);
    init(&ready, 2);
    fenceInit();
  }
  syncCluster();
  if (warp() == 0) {
    copy16(&b[lane() * 4], in + cta() * 512 + lane() * 16);
    commitCopies();
    waitCopies<0>();
    arrive(&copied);
  } else {
    wait(&copied, 0);
    if (lane() == 0) {
      if (FIXED) arriveAt(&ready, 0);
      else arriveAtCtaScope(&ready, 0);
    }
    syncWarp();
    if (cta() == 0) {
      if (FIXED) waitCluster(&ready, 0);
      else wait(&ready, 0);
      out[lane()] = b[lane() * 4] + loadAt(&b[lane() * 4], 1);
    }
  }
  syncCluster();
}
