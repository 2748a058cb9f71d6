// Cycles of a product of a warpgroup by its columns, with A in shared memory or in registers: rows for
// bench/h200/products.csv. Build and run:
//   nvcc -std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a -o products bench/cuda/products.cu && ./products
// Groups of 16 products of halves are waited for, so that only two warpgroups keep the tensor cores busy.
// The clock is that of a run of 20,000 groups.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "wgmma.cuh"

// clang-format off
#define HALVES(n, count, s1, s2, s3, s4)                                                                 \
  MMA(F16, n, count, float, FLOATS, "k16.f32.f16.f16", count, s1, ", 1, 1, 1, 0, 0")                      \
  MMA_R(F16, n, count, float, FLOATS, "k16.f32.f16.f16", count, s1, s2, s3, s4, ", 1, 1, 1, 0")
HALVES(8, 4, 5, 6, 7, 8)
HALVES(16, 8, 9, 10, 11, 12)
HALVES(24, 12, 13, 14, 15, 16)
HALVES(32, 16, 17, 18, 19, 20)
HALVES(40, 20, 21, 22, 23, 24)
HALVES(48, 24, 25, 26, 27, 28)
HALVES(56, 28, 29, 30, 31, 32)
HALVES(64, 32, 33, 34, 35, 36)
HALVES(80, 40, 41, 42, 43, 44)
HALVES(96, 48, 49, 50, 51, 52)
HALVES(112, 56, 57, 58, 59, 60)
HALVES(128, 64, 65, 66, 67, 68)
HALVES(144, 72, 73, 74, 75, 76)
HALVES(160, 80, 81, 82, 83, 84)
HALVES(176, 88, 89, 90, 91, 92)
HALVES(192, 96, 97, 98, 99, 100)
HALVES(224, 112, 113, 114, 115, 116)
HALVES(256, 128, 129, 130, 131, 132)
// clang-format on

constexpr int EACH = 16, RUNS = 4, ROUNDS = 200, LONG_ROUNDS = 20'000, SMS = 132, BYTES = 98'304;
struct Took {
  long long cycles, ns;
};

static void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(1);
}

extern __shared__ __align__(1024) char shared[];

template <int n, bool registers> __global__ void __launch_bounds__(256, 1) products(int rounds, Took *took) {
#if HAS_WGMMA
  for (int i = threadIdx.x; i < 16'384; i += blockDim.x) reinterpret_cast<uint32_t *>(shared)[i] = 0;
  __syncthreads();
  float d[n / 2] = {};
  const uint32_t from[4] = {0, 0, 0, 0};
  const uint64_t a = mma_tile(shared + threadIdx.x / 128 * 16'384), b = mma_tile(shared + 32'768);
  const long long begin = clock64(), begin_ns = now_ns();
  for (int round = 0; round < rounds; round++) {
    mma_fence();
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      if constexpr (registers) mma_from_registers<F16, n>(d, from, b + 2 * (i % 4));
      else mma<F16, n>(d, a + 2 * (i % 4), b + 2 * (i % 4));
    }
    mma_commit();
    mma_wait<0>();
  }
  if (threadIdx.x == 0) took[blockIdx.x] = {clock64() - begin, now_ns() - begin_ns};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < n / 2; i++) sum += d[i];
  if (sum != 0) atomicAdd(&device_errors, 1);
#endif
}

template <int n, bool registers> static void rows(Took *took) {
  must(cudaFuncSetAttribute(products<n, registers>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  const auto run = [&](int sms, int groups, int rounds) {
    products<n, registers><<<sms, 128 * groups, BYTES>>>(rounds, took);
    must(cudaDeviceSynchronize());
    return took[0];
  };
  for (int groups : {1, 2})
    for (int sms : {1, SMS}) {
      long long least = run(sms, groups, ROUNDS).cycles;
      for (int i = 1; i < RUNS; i++) least = std::min(least, run(sms, groups, ROUNDS).cycles);
      const Took all = run(sms, groups, LONG_ROUNDS);
      const double cycles = static_cast<double>(least) / ROUNDS;
      printf("%s,%d,%d,%d,%.1f,%.2f,%.0f\n", registers ? "registers" : "shared", n, groups, sms, cycles,
             cycles / EACH / groups, all.cycles * 1e3 / all.ns);
      fflush(stdout);
    }
}

template <int... columns> static void table(Took *took) {
  ((rows<columns, false>(took), rows<columns, true>(took)), ...);
}

int main() {
  Took *took;
  must(cudaMallocManaged(&took, SMS * sizeof(Took)));
  printf("a_from,columns,warpgroups,sms,cycles_of_16,cycles_each,mhz\n");
  table<8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256>(took);
}
