// The parity of the ring is computed from the K loop alone, which begins anew with every tile of a
// persistent kernel. The fix: count the steps over all tiles.
// https://github.com/tile-ai/tilelang/pull/2674
#include "../gpu.cuh"

constexpr int STAGES = 2, BYTES = 128;

extern "C" __global__ void persistent_gemm(const char *in, uint32_t *out, int tiles, int ks) {
  __shared__ alignas(128) uint32_t tile[STAGES][BYTES / 4];
  __shared__ Bar full[STAGES], empty[STAGES];
  if (threadIdx.x < STAGES) {
    init(&full[threadIdx.x], 1);
    init(&empty[threadIdx.x], 32);
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0) {
      rolled for (int t = 0; t < tiles; t++) {
        rolled for (int k = 0; k < ks; k++) {
          int n = FIXED ? t * ks + k : k;
          wait(&empty[n % STAGES], (n / STAGES & 1) ^ 1);
          expect(&full[n % STAGES], BYTES);
          copy(tile[n % STAGES], in + (t * ks + k) * BYTES, BYTES, &full[n % STAGES]);
        }
      }
    }
  } else {
    uint32_t sum = 0;
    rolled for (int t = 0; t < tiles; t++) {
      rolled for (int k = 0; k < ks; k++) {
        int n = FIXED ? t * ks + k : k;
        wait(&full[n % STAGES], n / STAGES & 1);
        sum += tile[n % STAGES][lane()];
        arrive(&empty[n % STAGES]);
      }
      out[t * 32 + lane()] = sum;
    }
  }
}
