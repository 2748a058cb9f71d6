// Sums of parts of an array: a block of THREADS adds STEPS vectors of WIDE words for each thread.
extern "C" __global__ void __launch_bounds__(THREADS) reduce(const float *__restrict__ in, float *__restrict__ out) {
  struct alignas(4 * WIDE) Words { float of[WIDE]; };
  const Words *words = reinterpret_cast<const Words *>(in) + blockIdx.x * THREADS * STEPS + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int step = 0; step < STEPS; step++) {
    const Words each = words[step * THREADS];
#pragma unroll
    for (int i = 0; i < WIDE; i++) sum += each.of[i];
  }
#pragma unroll
  for (int far = 16; far > 0; far /= 2) sum += __shfl_xor_sync(0xffffffff, sum, far);
  __shared__ float sums[THREADS / 32];
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
#pragma unroll
  for (int warp = 1; warp < THREADS / 32; warp++) sum += sums[warp];
  out[blockIdx.x] = sum;
}
