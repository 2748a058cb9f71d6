// A compiler splits a loop into a producer and consumers, and all copies stay with the consumers,
// behind a guard that only a thread of the producer satisfies. The fix here: the copies are the
// producer's.
// https://github.com/cloudrift-ai/emmy/pull/217
#include "../gpu.cuh"

constexpr int BYTES = 128;

extern "C" __global__ void trial_split(const char *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  __shared__ Bar full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  auto load = [&] {
    expect(&full, BYTES);
    copy(tile, in, BYTES, &full);
  };
  if (threadIdx.x < 32) {
    if (FIXED && threadIdx.x == 0) load();
  } else {
    if (threadIdx.x == 0) load();
    wait(&full, 0);
    out[lane()] = tile[lane()];
  }
}
