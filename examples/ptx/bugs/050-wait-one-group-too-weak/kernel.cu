// The load warp publishes a stage after a wait that leaves as many cp.async groups open as it has
// issued, so that it waits for nothing. The fix: leave one group less open.
// https://github.com/NVIDIA/cutlass/pull/2502
#include "../gpu.cuh"

constexpr int STAGES = 3, AHEAD = 2;

extern "C" __global__ void paged_values(const char *in, uint32_t *out, int ks) {
  __shared__ alignas(16) uint32_t page[STAGES][32 * 4];
  __shared__ uint64_t full[STAGES], empty[STAGES];
  if (threadIdx.x < STAGES) {
    init(&full[threadIdx.x], 32);
    init(&empty[threadIdx.x], 32);
  }
  __syncthreads();
  if (warp() == 0) {
    rolled for (int k = 0; k < ks + AHEAD; k++) {
      if (k < ks) {
        waitOld(&empty[k % STAGES], (k / STAGES & 1) ^ 1);
        copy16(&page[k % STAGES][lane() * 4], in + k * 512 + lane() * 16);
      }
      commitCopies();
      waitCopies<FIXED ? AHEAD : AHEAD + 1>();
      if (k >= AHEAD) arriveOld(&full[(k - AHEAD) % STAGES]);
    }
  } else {
    rolled for (int k = 0; k < ks; k++) {
      waitOld(&full[k % STAGES], k / STAGES & 1);
      out[k * 32 + lane()] = page[k % STAGES][(31 - lane()) * 4];
      arriveOld(&empty[k % STAGES]);
    }
  }
}
