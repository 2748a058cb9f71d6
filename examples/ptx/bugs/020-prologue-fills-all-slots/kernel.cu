// The prologue fills all slots of a ring, so that the first copy of the loop overwrites the slot
// that other warps still read, one step ahead of the product. (The thread is of an AMD GPU; here
// cp.async.) The fix: one slot fewer is filled ahead.
// https://github.com/ROCm/aiter/pull/4537
#include "../gpu.cuh"

constexpr int SLOTS = 3, AHEAD = FIXED ? SLOTS - 1 : SLOTS;

extern "C" __global__ void tile_ring(const char *in, uint32_t *out, int ks) {
  __shared__ alignas(16) uint32_t slot[SLOTS][64 * 4];
  auto fill = [&](int k) {
    if (k < ks) copy16(&slot[k % SLOTS][threadIdx.x * 4], in + k * 1024 + threadIdx.x * 16);
    commitCopies();
  };
  rolled for (int k = 0; k < AHEAD; k++) fill(k);
  uint32_t sum = 0;
  rolled for (int k = 0; k < ks; k++) {
    waitCopies<AHEAD - 1>();
    __syncthreads();
    uint32_t next = slot[k % SLOTS][(threadIdx.x ^ 32) * 4];
    fill(k + AHEAD);
    sum += next;
  }
  out[threadIdx.x] = sum;
}
