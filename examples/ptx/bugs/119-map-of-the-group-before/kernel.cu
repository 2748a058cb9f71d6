// The loader turns its tensor map to the next group while the last load still reads it. The fix: the
// load has landed before the map is changed.
// https://github.com/deepseek-ai/DeepGEMM/pull/343
#include "../gpu.cuh"

constexpr int BYTES = 4096;

extern "C" __global__ void grouped_weights(Map *map, char *in, uint32_t *out, int groups) {
  extern __shared__ __align__(1024) uint32_t tile[];
  __shared__ Bar full[2];
  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], 1);
    fenceInit();
  }
  syncWarp();
  rolled for (int g = 0; g < groups; g++) {
    if (FIXED && g > 0) wait(&full[(g - 1) % 2], (g - 1) / 2 & 1);
    if (lane() == 0) {
      turnMap(map, in + g * BYTES);
      releaseMap();
      acquireMap(map);
      expect(&full[g % 2], BYTES);
      copyTile(tile + g % 2 * (BYTES / 4), map, 0, 0, &full[g % 2]);
    }
    syncWarp();
  }
  uint32_t sum = 0;
  rolled for (int g = 0; g < groups; g++) {
    wait(&full[g % 2], g / 2 & 1);
    sum += tile[g % 2 * (BYTES / 4) + lane()];
  }
  out[lane()] = sum;
}
