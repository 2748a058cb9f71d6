// The consumer keeps one product in flight and releases a stage one round later, and the ring has
// one stage. The fix: with one stage, wait for each product.
// https://github.com/triton-lang/triton/pull/2868
#include "../gpu.cuh"

constexpr int STAGES = 1, BYTES = 4096;

extern "C" __global__ void one_stage(const char *in, float *out, int ks) {
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
      if (FIXED) {
        waitWgmma<0>(d);
        arrive(&empty[k % STAGES]);
      } else {
        waitWgmma<1>(d);
        if (k > 0) arrive(&empty[(k - 1) % STAGES]);
      }
    }
    waitWgmma<0>(d);
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
  }
}
