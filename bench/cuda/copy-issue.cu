// Cycles of a round in which one lane waits for a phase that is complete, expects bytes, and issues
// copies of 1 KiB, beside additions: rows for bench/h200/copy-issue.csv. Build and run:
//   nvcc -std=c++17 -O2 -arch=sm_90a -o copy-issue bench/cuda/copy-issue.cu && ./copy-issue
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
constexpr int ROUNDS = 32, BYTES = 1024;
extern __shared__ __align__(1024) char tiles[];

__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

template <int waits, int expects, int copies, bool isBulk, int adds>
__global__ void rounds(const __grid_constant__ CUtensorMap map, const char *from, int seed, int *cycles) {
  __shared__ uint64_t full[2 * ROUNDS], ready;
  if (threadIdx.x > 0) return;
  for (uint64_t &bar : full) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)) : "memory");
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&ready)) : "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  int row = 0, sum = seed;
  for (int time = 0; time < 2; time++) {
    const int begin = clock();
#pragma unroll 1
    for (int round = 0; round < ROUNDS; round++) {
      const uint32_t bar = at(full + round + ROUNDS * time);
      uint32_t done = waits == 0;
      while (!done) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 1; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(at(&ready)) : "memory");
      if (expects) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar), "r"(copies * BYTES) : "memory");
#pragma unroll
      for (int i = 0; i < copies; i++, row += 8) {
        const uint32_t to = at(tiles) + (round % 4 * 4 + i) * BYTES;
        if (isBulk) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %3, [%2];" ::"r"(to), "l"(from + row * 128), "r"(bar), "r"(BYTES) : "memory");
        else asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(to), "l"(&map), "r"(bar), "r"(0), "r"(row) : "memory");
      }
      for (int i = 0; i < adds; i++) asm volatile("add.s32 %0, %0, %1;" : "+r"(sum) : "r"(seed));
    }
    cycles[0] = (int)clock() - begin + (sum == 77);
  }
  // The copies are done before the CTA ends.
  for (const long long begin = clock64(); clock64() - begin < 20000;) {
  }
}

static CUtensorMap map;
static char *from;
static int *cycles;

template <bool isBulk, int waits, int expects, int copies, int adds> void row() {
  for (int run = 0; run < 3; run++) {
    rounds<waits, expects, copies, isBulk, adds><<<1, 32, 32 << 10>>>(map, from, 3, cycles);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n"), exit(1);
  }
  printf("%s,%d,%d,%d,%d,%.1f\n", isBulk ? "bulk" : "tensor", waits, expects, copies, adds, (double)cycles[0] / ROUNDS);
}

template <bool isBulk> void rows() {
  row<isBulk, 0, 0, 0, 0>(), row<isBulk, 1, 0, 0, 0>(), row<isBulk, 0, 1, 0, 0>(), row<isBulk, 1, 1, 0, 0>();
  row<isBulk, 0, 0, 1, 0>(), row<isBulk, 0, 0, 2, 0>(), row<isBulk, 0, 0, 3, 0>(), row<isBulk, 0, 0, 4, 0>();
  row<isBulk, 0, 1, 1, 0>(), row<isBulk, 0, 1, 2, 0>(), row<isBulk, 0, 1, 3, 0>(), row<isBulk, 1, 0, 1, 0>();
  row<isBulk, 1, 1, 1, 0>(), row<isBulk, 1, 1, 2, 0>(), row<isBulk, 1, 1, 3, 0>();
  row<isBulk, 0, 0, 0, 16>(), row<isBulk, 0, 0, 1, 16>(), row<isBulk, 1, 1, 2, 16>(), row<isBulk, 1, 1, 2, 32>();
  row<isBulk, 1, 1, 1, 16>(), row<isBulk, 1, 0, 0, 16>(), row<isBulk, 0, 1, 0, 16>();
}

int main() {
  cudaMalloc(&from, 1 << 20), cudaMemset(from, 0, 1 << 20), cudaMallocManaged(&cycles, sizeof(int));
  void *entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
  const cuuint64_t sizes[2] = {64, 8192}, strides[1] = {128};
  const cuuint32_t box[2] = {64, 8}, steps[2] = {1, 1};
  ((PFN_cuTensorMapEncodeTiled_v12000)entry)(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, from, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  printf("kind,waits,expects,copies,adds,cycles\n");
  rows<false>(), rows<true>();
}
