// A layout conversion across CTAs waits at the cluster barrier inside one partition, and the load
// partition does not come. The fix: all threads execute the barrier.
// https://github.com/triton-lang/triton/pull/9456
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void convert_layout(const char *in, uint32_t *out, int tiles) {
  __shared__ alignas(128) uint32_t x[BYTES / 4], exchange[BYTES / 4];
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 1);
    fenceInit();
  }
  syncCluster();
  if (warp() == 0) {
    rolled for (int t = 0; t < tiles; t++) {
      if (lane() == 0) {
        wait(&empty, (t & 1) ^ 1);
        expect(&full, BYTES);
        copy(x, in + t * BYTES, BYTES, &full);
      }
      syncWarp();
      if (FIXED) {
        syncCluster();
        syncCluster();
      }
    }
  } else {
    rolled for (int t = 0; t < tiles; t++) {
      wait(&full, t & 1);
      storeAt(&exchange[lane()], cta() ^ 1, x[lane()]);
      syncCluster();
      out[(t * 2 + cta()) * 32 + lane()] = exchange[lane()];
      syncWarp();
      if (lane() == 0) arrive(&empty);
      syncWarp();
      syncCluster();
    }
  }
  if (FIXED) syncCluster();
}
