// In the loop, a counter announces a bulk store without a fence between them. The fix: the fence that
// is behind the loop.
// https://github.com/flashinfer-ai/flashinfer/pull/4742
#include "../gpu.cuh"

constexpr int BYTES = 128;
extern "C" __global__ void dual_splitk(uint32_t *partial, int *count, uint32_t *out, int tiles) {
  __shared__ alignas(128) uint32_t sC[BYTES / 4];
  if (blockIdx.x == 0) {
    rolled for (int t = 0; t < tiles; t++) {
      if (t > 0 && lane() == 0) {
        waitBulk<0>();
        if (FIXED) __threadfence();
        atomicAdd(&count[t - 1], 1);
      }
      syncWarp();
      sC[lane()] = t;
      fenceAsync();
      syncWarp();
      if (lane() == 0) {
        storeBulk(partial + t * 32, sC, BYTES);
        commitBulk();
      }
    }
    if (lane() == 0) {
      waitBulk<0>();
      __threadfence();
      atomicAdd(&count[tiles - 1], 1);
    }
  } else {
    rolled for (int t = 0; t < tiles; t++) {
      if (lane() == 0) {
        int now;
        do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(now) : "l"(count + t) : "memory");
        while (now < 1);
      }
      syncWarp();
      out[t * 32 + lane()] = partial[t * 32 + lane()];
    }
  }
}
