// A compute warp stores its partial sums in the bytes of the first input stage, which another one may
// still read. The fix: a barrier of the compute warps before the stores, too.
// https://github.com/sgl-project/sglang/pull/37287
#include "../gpu.cuh"

constexpr int BYTES = 256;

extern "C" __global__ void split_k_router(const char *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t memory[BYTES / 4];
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  if (warp() == 2) {
    if (lane() == 0) {
      expect(&full, BYTES);
      copy(memory, in, BYTES, &full);
    }
  } else {
    wait(&full, 0);
    uint32_t sum = memory[lane()] + memory[32 + lane()];
    if (FIXED) syncNamed(1, 64);
    memory[threadIdx.x] = sum;
    syncNamed(1, 64);
    out[threadIdx.x] = memory[lane()] + memory[32 + lane()];
  }
}
