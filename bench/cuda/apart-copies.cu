// Bytes a cycle that an SM gets of the L2 while others copy the same tiles a little earlier or later:
// rows for bench/h200/apart-copies.csv. Build and run:
//   nvcc -std=c++17 -O2 -arch=sm_90a -o apart-copies bench/cuda/apart-copies.cu && ./apart-copies
// A and B of a product of 16 columns of tiles, `rows` after row, or in groups of eight rows (`tiles`):
// a CTA streams `a_tiles` and `b_tiles` of 8 KiB a stage, over `window` stages again and again. Its
// first copy is up to `late_cycles` later than that of others.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
constexpr int TILE = 8192, ROUNDS = 384, SMS = 132;
constexpr size_t HALF = 128 << 20;
extern __shared__ __align__(1024) char ring[];

__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ void copy(uint32_t to, const char *from, uint32_t bar, uint32_t bytes, bool hint) {
  // The policy by which CUTLASS evicts as usual.
  if (hint) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %3, [%2], %4;" ::"r"(to), "l"(from), "r"(bar), "r"(bytes), "l"(0x1000000000000000ll) : "memory");
  else asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %3, [%2];" ::"r"(to), "l"(from), "r"(bar), "r"(bytes) : "memory");
}

struct Rows {
  int a, b, stages, window, hint, late;
};

__global__ void stream(const char *from, const int2 *of, Rows p, int *cycles) {
  __shared__ uint64_t full[16];
  for (int i = 0; i < 16; i++) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(full + i)) : "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  const int cta = blockIdx.x, bytes = (p.a + p.b) * TILE;
  const char *a = from + (size_t)of[cta].x * p.window * p.a * TILE;
  const char *b = from + HALF + (size_t)of[cta].y * p.window * p.b * TILE;
  int begin = clock();
  if (p.late > 0)
    while ((int)clock() - begin < cta * 7919 % p.late) {
    }
  begin = clock();
  for (int round = 0, slot = 0, parity = 1; round < ROUNDS + p.stages; round++) {
    const uint32_t bar = at(full + slot), to = at(ring) + slot * bytes;
    if (round >= p.stages) {
      uint32_t done = 0;
      while (!done) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(bar), "r"(parity) : "memory");
    }
    if (round < ROUNDS) {
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
      copy(to, a + round % p.window * p.a * TILE, bar, p.a * TILE, p.hint);
      copy(to + p.a * TILE, b + round % p.window * p.b * TILE, bar, p.b * TILE, p.hint);
    }
    if (++slot == p.stages) slot = 0, parity ^= 1;
  }
  cycles[cta] = (int)clock() - begin;
}

int main() {
  char *from;
  int *cycles;
  int2 *of;
  cudaMalloc(&from, 2 * HALF), cudaMemset(from, 0, 2 * HALF);
  cudaMallocManaged(&cycles, 2 * SMS * sizeof(int)), cudaMallocManaged(&of, 2 * SMS * sizeof(int2));
  cudaFuncSetAttribute(stream, cudaFuncAttributeMaxDynamicSharedMemorySize, 208 << 10);
  printf("pattern,a_tiles,b_tiles,ctas_per_sm,stages,cache_hint,window,late_cycles,bytes_per_cycle\n");
  for (int per : {1, 2})
    for (auto [a, b] : {int2{1, 1}, int2{1, 2}, int2{2, 1}, int2{2, 2}})
      for (bool isTiled : {false, true})
        for (int hint : {0, 1})
          for (int window : {4, 16, 64})
            for (int late : {0, 1000, 5000, 20000}) {
              const int ctas = per * SMS, stages = std::min(6, (per > 1 ? 100 : 200) / 8 / (a + b));
              for (int i = 0; i < ctas; i++) of[i] = isTiled ? int2{i / 128 * 8 + i % 8, i % 128 / 8} : int2{i / 16, i % 16};
              std::vector<double> rates;
              for (int run = 0; run < 4; run++) {
                stream<<<ctas, 1, (208 << 10) / per>>>(from, of, {a, b, stages, window, hint, late}, cycles);
                if (cudaDeviceSynchronize() != cudaSuccess) return printf("failed\n"), 1;
                std::sort(cycles, cycles + ctas);
                if (run > 0) rates.push_back((double)per * ROUNDS * (a + b) * TILE / cycles[ctas / 2]);
              }
              std::sort(rates.begin(), rates.end());
              printf("%s,%d,%d,%d,%d,%d,%d,%d,%.1f\n", isTiled ? "tiles" : "rows", a, b, per, stages, hint, window, late, rates[1]);
            }
}
