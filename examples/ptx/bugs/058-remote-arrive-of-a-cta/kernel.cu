// The arrival of the peer at the leader's barrier releases to its own CTA only, so that the leader
// can pass the wait and read what the peer had there before. The fix: release at cluster scope.
// https://github.com/NVIDIA/cutlass/issues/3643
#include "../gpu.cuh"

extern "C" __global__ void scales_of_two(uint32_t *out) {
  __shared__ uint32_t scales[32];
  __shared__ Bar ready;
  if (threadIdx.x == 0) {
    init(&ready, 32);
    fenceInit();
  }
  syncCluster();
  if (cta() == 1) {
    scales[lane()] = lane() * 3;
    if (FIXED) arriveAt(&ready, 0);
    else arriveAtCtaScope(&ready, 0);
  } else {
    waitCluster(&ready, 0);
    out[lane()] = loadAt(&scales[lane()], 1);
  }
  syncCluster();
}
