// Bytes a cycle that an SM gets of the L2 where other SMs copy the same ones: rows for
// bench/h200/shared-copies.csv. Build and run:
//   nvcc -std=c++17 -O3 -arch=sm_90a -o shared-copies bench/cuda/shared-copies.cu && ./shared-copies
// Each CTA streams 24 KiB a stage into its ring, in three copies. `own`: a window of 128 KiB of its own;
// `run` and `mod`: `group` CTAs one after another, or as many far apart, have one window; `rows` and
// `tiles`: A and B of a product of 16 columns of tiles, row after row, or in groups of eight rows.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>
constexpr int TILE = 8192, STAGE = 3 * TILE, ROUNDS = 1024, SMS = 132;
constexpr uint32_t WINDOW = 16 * TILE;
enum Pattern { OWN, RUN, MOD, ROWS, TILES };
const char *const NAMES[] = {"own", "run", "mod", "rows", "tiles"};
extern __shared__ __align__(128) char ring[];

__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__global__ void __launch_bounds__(32) stream(const char *from, Pattern pattern, int group, uint32_t stages, long long *cycles) {
  __shared__ uint64_t full[8];
  if (threadIdx.x > 0) return;
  for (int i = 0; i < 8; i++) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(full + i)));
  asm volatile("fence.proxy.async;" ::: "memory");
  const int b = blockIdx.x, all = gridDim.x;
  const int of = pattern == OWN ? b : pattern == RUN ? b / group : b % (all / group);
  const bool is_product = pattern >= ROWS;
  const int m = pattern == ROWS ? b / 16 : b / 128 * 8 + b % 8, n = pattern == ROWS ? b % 16 : b % 128 / 8;
  const char *a = from + (size_t)(is_product ? m : of) * WINDOW;
  const char *c = is_product ? from + (32 + 2 * n) * (size_t)WINDOW : a;
  const long long begin = clock64();
  for (uint32_t round = 0; round < ROUNDS + stages; round++) {
    const uint32_t slot = round & (stages - 1), bar = at(full + slot), to = at(ring) + slot * STAGE;
    if (round >= stages) {
      const uint32_t parity = (round & stages) == 0;
      uint32_t done = 0;
      while (!done) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(bar), "r"(parity) : "memory");
    }
    if (round >= ROUNDS) continue;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 24576;" ::"r"(bar) : "memory");
    const uint32_t first = is_product ? round : 3 * round, step = is_product ? 2 * round : first + 1;
#pragma unroll
    for (uint32_t i = 0; i < 3; i++) {
      const char *tile = i == 0 ? a + first * TILE % WINDOW : c + (step + i - 1) * TILE % (is_product ? 2 * WINDOW : WINDOW);
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 8192, [%2];" ::"r"(to + i * TILE), "l"(tile), "r"(bar) : "memory");
    }
  }
  cycles[b] = clock64() - begin;
}

int main() {
  char *from;
  long long *cycles;
  cudaMalloc(&from, 300 * (size_t)WINDOW);
  cudaMemset(from, 0, 300 * (size_t)WINDOW);
  cudaMallocManaged(&cycles, 2 * SMS * sizeof(long long));
  cudaFuncSetAttribute(stream, cudaFuncAttributeMaxDynamicSharedMemorySize, 8 * STAGE);
  printf("pattern,group,ctas_per_sm,stages,bytes_per_cycle\n");
  const auto rows = [&](Pattern pattern, int group) {
    for (int per : {1, 2})
      for (int stages = 8 / per; stages > 0; stages /= 2) {
        std::vector<double> rates;
        for (int run = 0; run < 6; run++) {
          stream<<<per * SMS, 32, 8 / per * STAGE>>>(from, pattern, group, stages, cycles);
          if (cudaDeviceSynchronize() != cudaSuccess) return (void)printf("failed\n");
          std::sort(cycles, cycles + per * SMS);
          if (run > 0) rates.push_back((double)per * ROUNDS * STAGE / cycles[per * SMS / 2]);
        }
        std::sort(rates.begin(), rates.end());
        printf("%s,%d,%d,%d,%.1f\n", NAMES[pattern], group, per, stages, rates[2]);
      }
  };
  rows(OWN, 1);
  for (int group : {2, 4, 12, 66}) rows(RUN, group), rows(MOD, group);
  rows(RUN, 132), rows(ROWS, 1), rows(TILES, 1);
}
