// A named barrier in the branch of one warpgroup counts the threads of both: 128 come, and 256 are
// waited for. The fix that the thread proposes: count 128.
// https://github.com/deepseek-ai/FlashMLA/pull/57
#include "../gpu.cuh"

constexpr int SCORES = 1, SOFTMAX = 2;

extern "C" __global__ void mla_decode(float *out) {
  __shared__ float scores[128], maxima[128];
  int t = threadIdx.x % 128;
  if (threadIdx.x < 128) {
    scores[t] = t;
    syncNamed(SCORES, FIXED ? 128 : 256);
    out[t] = scores[127 - t];
  } else {
    maxima[t] = -t;
    syncNamed(SOFTMAX, FIXED ? 128 : 256);
    out[128 + t] = maxima[127 - t];
  }
}
