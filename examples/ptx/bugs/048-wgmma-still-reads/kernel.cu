// The math warps release a stage when at most one product is pending, which is the one that reads
// it. The fix: wait for all products before the release.
// https://github.com/facebookexperimental/triton/pull/1278
#include "../gpu.cuh"

constexpr int STAGES = 2, BYTES = 4096;

extern "C" __global__ void pending_product(const char *in, float *out, int ks) {
  __shared__ alignas(1024) char tile[STAGES][BYTES];
  __shared__ Bar full[STAGES], empty[STAGES];
  if (threadIdx.x < STAGES) {
    init(&full[threadIdx.x], 1);
    init(&empty[threadIdx.x], 128);
  }
  __syncthreads();
  if (warp() == 4) {
    if (lane() == 0)
      rolled for (int k = 0; k < ks; k++) {
        wait(&empty[k % STAGES], (k / STAGES & 1) ^ 1);
        expect(&full[k % STAGES], BYTES);
        copy(tile[k % STAGES], in + k * BYTES, BYTES, &full[k % STAGES]);
      }
  } else {
    float d[4] = {};
    rolled for (int k = 0; k < ks; k++) {
      wait(&full[k % STAGES], k / STAGES & 1);
      fenceWgmma();
      wgmma(d, operand(tile[k % STAGES]), operand(tile[k % STAGES] + 2048));
      commitWgmma();
      waitWgmma<FIXED ? 0 : 1>();
      arrive(&empty[k % STAGES]);
    }
    waitWgmma<0>(d);
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
  }
}
