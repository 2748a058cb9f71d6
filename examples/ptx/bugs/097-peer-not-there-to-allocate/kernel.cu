// A CTA begins the allocation of tensor memory of a pair before its peer is known to run. The fix: a
// cluster barrier before the allocation.
// https://github.com/NVIDIA/cutlass/pull/3316
#include "../tensor-memory.cuh"

extern "C" __global__ void allocate_first(uint32_t *out) {
  __shared__ uint32_t columns;
  if (FIXED) syncCluster();
  allocatePair(&columns, 32);
  syncWarp();
  out[cta() * 32 + lane()] = columns;
  syncCluster();
  relinquishPair();
  deallocatePair(columns, 32);
}
