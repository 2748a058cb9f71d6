// A kernel makes its tensor map itself, and the acquire before the first load has no effect: what the
// assembler left out, this kernel leaves out. The fix here: the acquire.
// https://github.com/triton-lang/triton/pull/7293
#include "../gpu.cuh"

constexpr int BYTES = 4096;

extern "C" __global__ void own_descriptor(Map *map, char *in, uint32_t *out) {
  __shared__ alignas(1024) uint32_t tile[BYTES / 4];
  __shared__ Bar full;
  if (threadIdx.x == 0) {
    init(&full, 1);
    fenceInit();
    turnMap(map, in);
    releaseMap();
    if (FIXED) acquireMap(map);
    expect(&full, BYTES);
    copyTile(tile, map, 0, 0, &full);
  }
  syncWarp();
  wait(&full, 0);
  out[lane()] = tile[lane()];
}
