// The two CTAs of a cluster work on tiles of different groups with different K, and each brings
// half of a tile to both: after the shorter loop one CTA sends no more halves. The fix here: no
// multicast where the groups of a pair differ.
// https://github.com/deepseek-ai/DeepGEMM/pull/429
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void grouped_k(const int *steps, const char *in, uint32_t *out, int tiles) {
  __shared__ alignas(128) uint32_t b[2][BYTES / 4];
  __shared__ Bar full, empty;
  bool isShared = !FIXED;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, isShared ? 2 : 1);
    fenceInit();
  }
  syncCluster();
  int ks = steps[cta()];
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int k = 0; k < ks; k++) {
        waitCluster(&empty, (k & 1) ^ 1);
        expect(&full, 2 * BYTES);
        if (isShared) {
          copyToAll(b[cta()], in + (k * 2 + cta()) * BYTES, BYTES, &full, 3);
        } else {
          copy(b[0], in + k * 2 * BYTES, BYTES, &full);
          copy(b[1], in + (k * 2 + 1) * BYTES, BYTES, &full);
        }
      }
  } else {
    uint32_t sum = 0;
    rolled for (int k = 0; k < ks; k++) {
      wait(&full, k & 1);
      sum += b[0][lane()] + b[1][lane()];
      syncWarp();
      if (lane() == 0) arriveAt(&empty, cta());
      if (lane() == 0 && isShared) arriveAt(&empty, cta() ^ 1);
    }
    out[cta() * 32 + lane()] = sum;
  }
  syncWarp();
  syncCluster();
}
