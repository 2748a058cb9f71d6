// The four measured programs on real mbarriers, for rows that no model was fitted to.
//
//   nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -o pipelines pipelines.cu
//   ./pipelines two_role < rows.csv > measured.csv
//
// A row of the input has the parameters of its program, in the order of its table in bench/h200; the
// output adds the median and the quartiles of five runs after one warm-up. Cycles are the SM's own clock.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <sstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    cudaError_t e = (call);                                                                  \
    if (e != cudaSuccess) {                                                                  \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));             \
      exit(2);                                                                               \
    }                                                                                        \
  } while (0)

constexpr int MAX_STAGES = 12;
constexpr int L2_BYTES_PER_CTA = 256 * 1024;
constexpr int RUNS = 5;

__device__ __forceinline__ uint32_t shared_address(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void barrier_init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count));
}

__device__ __forceinline__ bool try_wait(uint64_t *bar, uint32_t parity) {
  uint32_t done;
  asm volatile(
      "{\n.reg .pred p;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(done)
      : "r"(shared_address(bar)), "r"(parity)
      : "memory");
  return done;
}

__device__ __forceinline__ void wait(uint64_t *bar, uint32_t parity) {
  while (!try_wait(bar, parity)) {
  }
}

__device__ __forceinline__ void arrive(uint64_t *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory");
}

__device__ __forceinline__ void expect(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)),
               "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void copy(void *to, const void *from, uint32_t bytes, uint64_t *bar) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(bar))
      : "memory");
}

__device__ __forceinline__ void spin(int cycles) {
  if (cycles <= 0) return;
  long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

struct Ring {
  uint64_t full[MAX_STAGES];
  uint64_t empty[MAX_STAGES];
};

/** Where a CTA's tiles are: the same 256 KiB again and again, or every tile once. */
struct Source {
  const char *data;
  long long ctaBytes;
  int wrapTiles;  // tiles before it starts over
};

__device__ __forceinline__ const char *tile_of(const Source &s, int tile, int bytes) {
  return s.data + blockIdx.x * s.ctaBytes + (long long)(tile % s.wrapTiles) * bytes;
}

extern __shared__ __align__(1024) char tiles_memory[];

struct TwoRole {
  int consumers, stages, tileBytes, tiles, producerCycles, consumerCycles;
};

__global__ void two_role(TwoRole p, Source source, long long *out) {
  __shared__ Ring ring;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) {
      barrier_init(&ring.full[s], 1);
      barrier_init(&ring.empty[s], p.consumers);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  long long start = clock64();
  if (threadIdx.x % 32 != 0) return;
  if (warp == 0) {
    int stage = 0, phase = 1;
    for (int t = 0; t < p.tiles; t++) {
      wait(&ring.empty[stage], phase);
      expect(&ring.full[stage], p.tileBytes);
      copy(tiles_memory + stage * p.tileBytes, tile_of(source, t, p.tileBytes), p.tileBytes,
           &ring.full[stage]);
      spin(p.producerCycles);
      if (++stage == p.stages) stage = 0, phase ^= 1;
    }
  } else {
    int stage = 0, phase = 0;
    for (int t = 0; t < p.tiles; t++) {
      wait(&ring.full[stage], phase);
      spin(p.consumerCycles);
      arrive(&ring.empty[stage]);
      if (++stage == p.stages) stage = 0, phase ^= 1;
    }
    if (warp == 1) out[blockIdx.x] = clock64() - start;
  }
}

struct ThreeRole {
  int stages, tileBytes, kSteps, outputTiles, accumStages, mmaCycles, epilogueCycles;
};

__global__ void three_role(ThreeRole p, Source source, long long *out) {
  __shared__ Ring ring, accum;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) {
      barrier_init(&ring.full[s], 1);
      barrier_init(&ring.empty[s], 1);
    }
    for (int s = 0; s < p.accumStages; s++) {
      barrier_init(&accum.full[s], 1);
      barrier_init(&accum.empty[s], 1);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  long long start = clock64();
  if (threadIdx.x % 32 != 0) return;
  if (warp == 0) {
    int stage = 0, phase = 1;
    for (int t = 0; t < p.outputTiles * p.kSteps; t++) {
      wait(&ring.empty[stage], phase);
      expect(&ring.full[stage], p.tileBytes);
      copy(tiles_memory + stage * p.tileBytes, tile_of(source, t, p.tileBytes), p.tileBytes,
           &ring.full[stage]);
      if (++stage == p.stages) stage = 0, phase ^= 1;
    }
  } else if (warp == 1) {
    int stage = 0, phase = 0, sum = 0, sumPhase = 1;
    for (int o = 0; o < p.outputTiles; o++) {
      wait(&accum.empty[sum], sumPhase);
      for (int k = 0; k < p.kSteps; k++) {
        wait(&ring.full[stage], phase);
        spin(p.mmaCycles);
        arrive(&ring.empty[stage]);
        if (++stage == p.stages) stage = 0, phase ^= 1;
      }
      arrive(&accum.full[sum]);
      if (++sum == p.accumStages) sum = 0, sumPhase ^= 1;
    }
  } else {
    int sum = 0, phase = 0;
    for (int o = 0; o < p.outputTiles; o++) {
      wait(&accum.full[sum], phase);
      spin(p.epilogueCycles);
      arrive(&accum.empty[sum]);
      if (++sum == p.accumStages) sum = 0, phase ^= 1;
    }
    out[blockIdx.x] = clock64() - start;
  }
}

struct ReleaseOrder {
  int aStages, aBytes, bStages, bBytes, tiles, useACycles, useBCycles, linear;
};

__global__ void release_order(ReleaseOrder p, Source sourceA, Source sourceB, long long *out) {
  __shared__ Ring a, b;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.aStages; s++) {
      barrier_init(&a.full[s], 1);
      barrier_init(&a.empty[s], 1);
    }
    for (int s = 0; s < p.bStages; s++) {
      barrier_init(&b.full[s], 1);
      barrier_init(&b.empty[s], 1);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  long long start = clock64();
  if (threadIdx.x % 32 != 0) return;
  char *aTiles = tiles_memory, *bTiles = tiles_memory + p.aStages * p.aBytes;
  if (warp == 0) {
    int stage = 0, phase = 1;
    for (int t = 0; t < p.tiles; t++) {
      wait(&a.empty[stage], phase);
      expect(&a.full[stage], p.aBytes);
      copy(aTiles + stage * p.aBytes, tile_of(sourceA, t, p.aBytes), p.aBytes, &a.full[stage]);
      if (++stage == p.aStages) stage = 0, phase ^= 1;
    }
  } else if (warp == 1) {
    int stage = 0, phase = 1;
    for (int t = 0; t < p.tiles; t++) {
      wait(&b.empty[stage], phase);
      expect(&b.full[stage], p.bBytes);
      copy(bTiles + stage * p.bBytes, tile_of(sourceB, t, p.bBytes), p.bBytes, &b.full[stage]);
      if (++stage == p.bStages) stage = 0, phase ^= 1;
    }
  } else {
    int sa = 0, pa = 0, sb = 0, pb = 0;
    for (int t = 0; t < p.tiles; t++) {
      wait(&a.full[sa], pa);
      wait(&b.full[sb], pb);
      spin(p.useACycles);
      if (p.linear) arrive(&a.empty[sa]);
      spin(p.useBCycles);
      arrive(&b.empty[sb]);
      if (!p.linear) arrive(&a.empty[sa]);
      if (++sa == p.aStages) sa = 0, pa ^= 1;
      if (++sb == p.bStages) sb = 0, pb ^= 1;
    }
    out[blockIdx.x] = clock64() - start;
  }
}

// ---- tensor cores: bf16 wgmma m64nNk16, both operands in shared memory, 128-byte swizzle ----

__device__ __forceinline__ uint64_t descriptor(const void *tile) {
  uint64_t address = shared_address(tile);
  return ((address & 0x3FFFF) >> 4) | (uint64_t(1) << 16) | (uint64_t(1024 >> 4) << 32) |
         (uint64_t(1) << 62);
}

template <int N>
__device__ __forceinline__ void wgmma(float (&d)[N / 2], uint64_t a, uint64_t b);

#define D8(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), \
                 "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define D32(d, i) D8(d, i), D8(d, i + 8), D8(d, i + 16), D8(d, i + 24)

template <>
__device__ __forceinline__ void wgmma<64>(float (&d)[32], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31},"
      " %32, %33, 1, 1, 1, 0, 0;"
      : D32(d, 0)
      : "l"(a), "l"(b));
}
template <>
__device__ __forceinline__ void wgmma<128>(float (&d)[64], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63},"
      " %64, %65, 1, 1, 1, 0, 0;"
      : D32(d, 0), D32(d, 32)
      : "l"(a), "l"(b));
}
template <>
__device__ __forceinline__ void wgmma<256>(float (&d)[128], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,"
      "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
      "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,"
      "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127},"
      " %128, %129, 1, 1, 1, 0, 0;"
      : D32(d, 0), D32(d, 32), D32(d, 64), D32(d, 96)
      : "l"(a), "l"(b));
}

template <int IN_FLIGHT>
__device__ __forceinline__ void wait_groups() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(IN_FLIGHT) : "memory");
}

struct TensorCore {
  int stages, kBlocks;
};

template <int N, int GROUPS, bool LINEAR>
__global__ void __launch_bounds__(128 * (GROUPS + 1), 1)
    tensor_core(TensorCore p, Source source, long long *out, float *sink) {
  __shared__ Ring ring;
  constexpr int A_BYTES = 8192, B_BYTES = N * 128, STAGE_BYTES = GROUPS * A_BYTES + B_BYTES;
  const int group = threadIdx.x / 128;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) {
      barrier_init(&ring.full[s], 1);
      barrier_init(&ring.empty[s], GROUPS);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  long long start = clock64();
  if (group == GROUPS) {
    if (threadIdx.x % 128 != 0) return;
    int stage = 0, phase = 1;
    for (int k = 0; k < p.kBlocks; k++) {
      wait(&ring.empty[stage], phase);
      expect(&ring.full[stage], STAGE_BYTES);
      char *to = tiles_memory + stage * STAGE_BYTES;
      const char *from = tile_of(source, k, STAGE_BYTES);
      for (int g = 0; g < GROUPS; g++)
        copy(to + g * A_BYTES, from + g * A_BYTES, A_BYTES, &ring.full[stage]);
      copy(to + GROUPS * A_BYTES, from + GROUPS * A_BYTES, B_BYTES, &ring.full[stage]);
      if (++stage == p.stages) stage = 0, phase ^= 1;
    }
    return;
  }
  float d[N / 2];
#pragma unroll
  for (int i = 0; i < N / 2; i++) d[i] = 0;
  int stage = 0, phase = 0, before = -1;
  int k = 0;
  do {
    wait(&ring.full[stage], phase);
    const char *tile = tiles_memory + stage * STAGE_BYTES;
    uint64_t a = descriptor(tile + group * A_BYTES), b = descriptor(tile + GROUPS * A_BYTES);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int i = 0; i < 4; i++) wgmma<N>(d, a + 2 * i, b + 2 * i);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (LINEAR) {
      wait_groups<1>();
      if (k > 0 && threadIdx.x % 128 == 0) arrive(&ring.empty[before]);
      before = stage;
    } else {
      wait_groups<0>();
      if (threadIdx.x % 128 == 0) arrive(&ring.empty[stage]);
    }
    if (++stage == p.stages) stage = 0, phase ^= 1;
  } while (++k < p.kBlocks);
  if (LINEAR) {
    wait_groups<0>();
    if (threadIdx.x % 128 == 0) arrive(&ring.empty[before]);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = clock64() - start;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < N / 2; i++) sum += d[i];
  if (sum == 12345.678f) sink[threadIdx.x] = sum;
}

// ---- rows in, rows out ----

using Row = std::map<std::string, std::string>;

struct Device {
  char *data, *flush;
  long long dataBytes, flushBytes;
  long long *out;
  float *sink;
};

int number(const Row &row, const char *name) { return std::stoi(row.at(name)); }

Source source_of(const Device &device, bool hbm, int bytes, int tiles, long long offset = 0) {
  if (hbm) return {device.data + offset, (long long)tiles * bytes, tiles};
  return {device.data + offset, L2_BYTES_PER_CTA, std::max(1, L2_BYTES_PER_CTA / bytes)};
}

template <typename F>
void raise(F *kernel, int bytes) {
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

template <int N, int GROUPS, bool LINEAR>
void launch_tensor(const Row &row, int ctas, const Source &source, const Device &device) {
  TensorCore p{number(row, "stages"), number(row, "k_blocks")};
  int bytes = p.stages * (GROUPS * 8192 + N * 128);
  raise(tensor_core<N, GROUPS, LINEAR>, bytes);
  tensor_core<N, GROUPS, LINEAR><<<ctas, 128 * (GROUPS + 1), bytes>>>(p, source, device.out, device.sink);
}

template <int N>
void launch_tensor_n(const Row &row, int ctas, const Source &source, const Device &device) {
  bool linear = row.at("order") == "linear";
  if (number(row, "warpgroups") == 1) {
    if (linear) launch_tensor<N, 1, true>(row, ctas, source, device);
    else launch_tensor<N, 1, false>(row, ctas, source, device);
  } else {
    if (linear) launch_tensor<N, 2, true>(row, ctas, source, device);
    else launch_tensor<N, 2, false>(row, ctas, source, device);
  }
}

void launch(const std::string &program, const Row &row, const Device &device) {
  bool hbm = row.at("source") == "hbm";
  int ctas = row.count("ctas") ? number(row, "ctas") : 1;
  if (program == "two_role") {
    TwoRole p{number(row, "consumers"), number(row, "stages"), number(row, "tile_bytes"),
              number(row, "tiles"), number(row, "producer_cycles"), number(row, "consumer_cycles")};
    raise(two_role, p.stages * p.tileBytes);
    two_role<<<ctas, 32 * (1 + p.consumers), p.stages * p.tileBytes>>>(
        p, source_of(device, hbm, p.tileBytes, p.tiles), device.out);
  } else if (program == "three_role") {
    ThreeRole p{number(row, "stages"), number(row, "tile_bytes"), number(row, "k_steps"),
                number(row, "output_tiles"), number(row, "accum_stages"), number(row, "mma_cycles"),
                number(row, "epilogue_cycles")};
    raise(three_role, p.stages * p.tileBytes);
    three_role<<<1, 96, p.stages * p.tileBytes>>>(
        p, source_of(device, hbm, p.tileBytes, p.kSteps * p.outputTiles), device.out);
  } else if (program == "release_order") {
    ReleaseOrder p{number(row, "a_stages"), number(row, "a_bytes"), number(row, "b_stages"),
                   number(row, "b_bytes"), number(row, "tiles"), number(row, "use_a_cycles"),
                   number(row, "use_b_cycles"), row.at("order") == "linear"};
    int bytes = p.aStages * p.aBytes + p.bStages * p.bBytes;
    raise(release_order, bytes);
    long long behind = hbm ? (long long)p.tiles * p.aBytes : L2_BYTES_PER_CTA;
    release_order<<<1, 96, bytes>>>(p, source_of(device, hbm, p.aBytes, p.tiles),
                                    source_of(device, hbm, p.bBytes, p.tiles, behind), device.out);
  } else {
    int stage = number(row, "stage_bytes");
    Source source = source_of(device, hbm, stage, number(row, "k_blocks"));
    switch (number(row, "mma_n")) {
      case 64: launch_tensor_n<64>(row, ctas, source, device); break;
      case 128: launch_tensor_n<128>(row, ctas, source, device); break;
      default: launch_tensor_n<256>(row, ctas, source, device);
    }
  }
  CHECK(cudaGetLastError());
}

/** Fills the L2 with dirty lines of something else. */
void flush(const Device &device) {
  static int value = 0;
  CHECK(cudaMemset(device.flush, ++value & 255, device.flushBytes));
  CHECK(cudaDeviceSynchronize());
}

std::vector<std::string> split(const std::string &line) {
  std::vector<std::string> cells;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: pipelines PROGRAM < rows.csv\n"), 2;
  const std::string program = argv[1];
  Device device;
  device.dataBytes = 2LL << 30;
  device.flushBytes = 256LL << 20;
  CHECK(cudaMalloc(&device.data, device.dataBytes));
  CHECK(cudaMalloc(&device.flush, device.flushBytes));
  CHECK(cudaMalloc(&device.out, 1024 * sizeof(long long)));
  CHECK(cudaMalloc(&device.sink, 4096 * sizeof(float)));
  // Random bf16 near one: tensor cores run faster on zeros.
  std::vector<uint16_t> random(64 << 20);
  uint32_t state = 1;
  for (auto &one : random) {
    state = state * 1664525u + 1013904223u;
    one = 0x3f00 | ((state >> 16) & 0x80ff);
  }
  for (long long at = 0; at < device.dataBytes; at += random.size() * 2)
    CHECK(cudaMemcpy(device.data + at, random.data(), random.size() * 2, cudaMemcpyHostToDevice));

  std::string line;
  std::getline(std::cin, line);
  const auto header = split(line);
  std::vector<std::string> names;
  for (auto &name : header)
    if (name != "total_cycles" && name != "q25" && name != "q75") names.push_back(name);
  for (auto &name : names) printf("%s,", name.c_str());
  printf("total_cycles,q25,q75\n");
  std::vector<long long> cycles(1024);
  while (std::getline(std::cin, line)) {
    const auto cells = split(line);
    Row row;
    for (size_t i = 0; i < names.size(); i++) row[header[i]] = cells[i];
    const int ctas = row.count("ctas") ? number(row, "ctas") : 1;
    std::vector<long long> totals;
    for (int run = 0; run <= RUNS; run++) {
      if (row["source"] == "hbm") flush(device);
      launch(program, row, device);
      CHECK(cudaDeviceSynchronize());
      CHECK(cudaMemcpy(cycles.data(), device.out, ctas * sizeof(long long), cudaMemcpyDeviceToHost));
      std::sort(cycles.begin(), cycles.begin() + ctas);
      if (run > 0) totals.push_back(cycles[ctas / 2]);
    }
    std::sort(totals.begin(), totals.end());
    for (auto &name : names) printf("%s,", row[name].c_str());
    printf("%lld,%lld,%lld\n", totals[RUNS / 2], totals[1], totals[3]);
  }
  return 0;
}
