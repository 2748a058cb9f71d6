// The schedules of a GEMM for arrays of matrices can be launched early, and the loading warp has no
// wait for the kernel before. The fix: the wait in that warp.
// https://github.com/NVIDIA/cutlass/issues/2760
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void array_gemm(const char *in, uint32_t *out, int ks) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
    fenceInit();
  }
  __syncthreads();
  if (warp() == 0) {
    if (FIXED) waitForGridBefore();
    if (lane() == 0)
      rolled for (int k = 0; k < ks; k++) {
        wait(&empty, (k & 1) ^ 1);
        expect(&full, BYTES);
        copy(tile, in + k * BYTES, BYTES, &full);
      }
  } else {
    uint32_t sum = 0;
    rolled for (int k = 0; k < ks; k++) {
      wait(&full, k & 1);
      sum += tile[lane()];
      arrive(&empty);
    }
    out[lane()] = sum;
  }
}
