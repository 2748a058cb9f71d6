// Each round of a loop makes its descriptor anew, in the place of one that the load before may still
// read. The fix: wait for that load first.
// https://github.com/facebookexperimental/triton/pull/680
#include "../gpu.cuh"

constexpr int BYTES = 4096;

extern "C" __global__ void grouped_problems(Map *map, char *in, uint32_t *out, int problems) {
  __shared__ alignas(1024) uint32_t tile[BYTES / 4];
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
    fenceInit();
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int p = 0; p < problems; p++) {
        if (FIXED && p > 0) wait(&full, (p - 1) & 1);
        turnMap(map, in + p * BYTES);
        releaseMap();
        acquireMap(map);
        wait(&empty, (p & 1) ^ 1);
        expect(&full, BYTES);
        copyTile(tile, map, 0, 0, &full);
      }
  } else {
    uint32_t sum = 0;
    rolled for (int p = 0; p < problems; p++) {
      wait(&full, p & 1);
      sum += tile[lane()];
      arrive(&empty);
    }
    out[lane()] = sum;
  }
}
