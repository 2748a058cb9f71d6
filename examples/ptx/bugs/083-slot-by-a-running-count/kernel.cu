// A task stages the subtiles of two gradients in a ring of slots, numbered by a count that runs on
// over tiles instead of by the subtile: a slot comes again sooner than the wait for stores allows.
// The fix: the number of the subtile.
// https://github.com/facebookexperimental/triton/pull/1864
#include "../gpu.cuh"

constexpr int SLOTS = 2, SUBTILES = 3, BYTES = 128;

extern "C" __global__ void backward_staging(char *out, int tiles) {
  __shared__ alignas(128) uint32_t staging[SLOTS][BYTES / 4];
  int n = 0;
  rolled for (int t = 0; t < tiles; t++) {
    rolled for (int subtile = 0; subtile < SUBTILES; subtile++, n++) {
      int slot = (FIXED ? n : t + subtile + n / SUBTILES) % SLOTS;
      if (lane() == 0) waitBulkRead<SLOTS - 1>();
      syncWarp();
      staging[slot][lane()] = n;
      fenceAsync();
      syncWarp();
      if (lane() == 0) {
        storeBulk(out + n * BYTES, staging[slot], BYTES);
        commitBulk();
      }
    }
  }
  if (lane() == 0) waitBulk<0>();
}
