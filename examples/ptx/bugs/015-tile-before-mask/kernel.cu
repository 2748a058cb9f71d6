// The consumer waits for a tile before it has read the mask that says whether there is one. The
// fix: wait for the mask, branch, and then wait for the tile.
// https://github.com/tile-ai/tilelang/issues/374
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void block_sparse(const int *masks, const char *in, uint32_t *out, int blocks) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  __shared__ int mask;
  __shared__ Bar full, empty, mask_full, mask_empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
    init(&mask_full, 1);
    init(&mask_empty, 32);
  }
  __syncthreads();
  int n = 0;
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int k = 0; k < blocks; k++) {
        int isSet = masks[k];
        wait(&mask_empty, (k & 1) ^ 1);
        mask = isSet;
        arrive(&mask_full);
        if (isSet == 0) continue;
        wait(&empty, (n & 1) ^ 1);
        expect(&full, BYTES);
        copy(tile, in + k * BYTES, BYTES, &full);
        n++;
      }
  } else {
    rolled for (int k = 0; k < blocks; k++) {
      if (!FIXED) wait(&full, n & 1);
      wait(&mask_full, k & 1);
      int isSet = mask;
      arrive(&mask_empty);
      if (isSet == 0) continue;
      if (FIXED) wait(&full, n & 1);
      out[n * 32 + lane()] = tile[lane()];
      arrive(&empty);
      n++;
    }
  }
}
