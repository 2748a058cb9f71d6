// The store of a gradient reads shared memory that the load warp fills with an operand of the next
// tile. The fix: a barrier of its own, which the load warp waits for and the staging role completes
// when its stores are done.
// https://github.com/facebookexperimental/triton/pull/1853
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void persistent_backward(const char *in, char *out, int tiles) {
  __shared__ alignas(128) uint32_t v_or_dv[BYTES / 4];
  __shared__ Bar full, empty, stored;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
    init(&stored, 1);
  }
  __syncthreads();
  if (warp() == 0) {
    if (lane() == 0)
      rolled for (int t = 0; t < tiles; t++) {
        if (FIXED) wait(&stored, (t & 1) ^ 1);
        wait(&empty, (t & 1) ^ 1);
        expect(&full, BYTES);
        copy(v_or_dv, in + t * BYTES, BYTES, &full);
      }
  } else {
    rolled for (int t = 0; t < tiles; t++) {
      wait(&full, t & 1);
      uint32_t v = v_or_dv[lane()];
      v_or_dv[lane()] = v * 2;
      fenceAsync();
      arrive(&empty);
      syncWarp();
      if (lane() == 0) {
        storeBulk(out + t * BYTES, v_or_dv, BYTES);
        commitBulk();
        waitBulk<0>();
        arrive(&stored);
      }
      syncWarp();
    }
  }
}
