// Cycles of products of a warpgroup that ptxas makes wait one for another (C7510), and of the same in flight:
// rows for bench/h200/serialized.csv.
//   nvcc -std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a -o serialized bench/cuda/serialized.cu && ./serialized
// The text of both kernels is the same but for a call that is never executed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "wgmma.cuh"

// clang-format off
#define HALVES(n, count, s1, s2, s3, s4)                                                                 \
  MMA(F16, n, count, float, FLOATS, "k16.f32.f16.f16", count, s1, ", 1, 1, 1, 0, 0")
HALVES(64, 32, 33, 34, 35, 36)
HALVES(128, 64, 65, 66, 67, 68)
HALVES(256, 128, 129, 130, 131, 132)
// clang-format on

constexpr int RUNS = 4, ROUNDS = 200, SMS = 132, BYTES = 98'304;

static void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(1);
}

extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
extern __shared__ __align__(1024) char shared[];

template <int n, int each, bool calls> __global__ void __launch_bounds__(256, 1) products(int rounds, long long *took) {
#if HAS_WGMMA
  for (int i = threadIdx.x; i < 16'384; i += blockDim.x) reinterpret_cast<uint32_t *>(shared)[i] = 0;
  __syncthreads();
  float d[n / 2] = {};
  const uint64_t a = mma_tile(shared + threadIdx.x / 128 * 16'384), b = mma_tile(shared + 32'768);
  const long long begin = clock64();
  for (int round = 0; round < rounds; round++) {
    mma_fence();
#pragma unroll
    for (int i = 0; i < each; i++) mma<F16, n>(d, a + 2 * (i % 4), b + 2 * (i % 4));
    mma_commit();
    mma_wait<0>();
    if constexpr (calls)
      if (round > 1'000'000) __assertfail("never", "here", 1, "products", 1);
  }
  if (threadIdx.x == 0) took[blockIdx.x] = clock64() - begin;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < n / 2; i++) sum += d[i];
  if (sum != 0) atomicAdd(&device_errors, 1);
#endif
}

template <int n, int each, bool calls> static void row(long long *took) {
  must(cudaFuncSetAttribute(products<n, each, calls>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  for (int groups : {1, 2}) {
    long long least = 1LL << 60;
    for (int i = 0; i < RUNS; i++) {
      products<n, each, calls><<<SMS, 128 * groups, BYTES>>>(ROUNDS, took);
      must(cudaDeviceSynchronize());
      least = std::min(least, took[0]);
    }
    printf("%d,%d,%d,%d,%.1f\n", n, each, groups, calls ? 1 : 0, double(least) / ROUNDS);
  }
}

template <int n> static void rows(long long *took) {
  row<n, 1, false>(took), row<n, 1, true>(took);
  row<n, 2, false>(took), row<n, 2, true>(took);
  row<n, 4, false>(took), row<n, 4, true>(took);
  row<n, 8, false>(took), row<n, 8, true>(took);
  row<n, 16, false>(took), row<n, 16, true>(took);
}

int main() {
  long long *took;
  must(cudaMallocManaged(&took, SMS * sizeof(long long)));
  printf("columns,products,warpgroups,serialized,cycles\n");
  rows<64>(took), rows<128>(took), rows<256>(took);
}
