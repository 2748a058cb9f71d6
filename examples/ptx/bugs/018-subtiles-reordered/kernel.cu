// The store warp takes the subtiles of a result in another order than the epilogue writes them, and
// there are fewer buffers than subtiles. The fix: both keep one order.
// https://github.com/facebookexperimental/triton/pull/1485
#include "../gpu.cuh"

constexpr int SUBTILES = 4, BUFFERS = 2, BYTES = 128;

extern "C" __global__ void subtiled_epilogue(char *out, int tiles) {
  __shared__ alignas(128) uint32_t staging[BUFFERS][BYTES / 4];
  __shared__ Bar full[BUFFERS], empty[BUFFERS];
  if (threadIdx.x < BUFFERS) {
    init(&full[threadIdx.x], 32);
    init(&empty[threadIdx.x], 1);
  }
  __syncthreads();
  rolled for (int t = 0; t < tiles; t++) {
    rolled for (int i = 0; i < SUBTILES; i++) {
      int subtile = FIXED || warp() == 0 ? i : SUBTILES - 1 - i;
      int n = t * SUBTILES + subtile, b = n % BUFFERS, phase = n / BUFFERS & 1;
      if (warp() == 0) {
        wait(&empty[b], phase ^ 1);
        staging[b][lane()] = n;
        fenceAsync();
        arrive(&full[b]);
      } else if (lane() == 0) {
        wait(&full[b], phase);
        storeBulk(out + n * BYTES, staging[b], BYTES);
        commitBulk();
        waitBulk<0>();
        arrive(&empty[b]);
      }
    }
  }
}
