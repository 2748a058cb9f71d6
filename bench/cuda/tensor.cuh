// The tensor core: a wgmma main loop as real kernels have it, its parts, its clock, its shapes.
#pragma once
#include "rings.cuh"
#include "wgmma.cuh"

constexpr int A_BYTES = 8192, B_ROW_BYTES = 128;

/** TIMED is the table, CHECKED compares the sums, TRACED reads the clock around each wait. */
enum Use { TIMED, CHECKED, TRACED };

/** ALONE has no ring, RING all, STREAM a producer that waits for nobody. */
enum Mode { ALONE, RING, STREAM };

struct Tensor {
  Source source;
  int stages, blocks;
  Mode mode;
  /** Copies of 1 KiB beside those of the tiles. */
  int copies;
  bool linear;
  Span *spans;
  /** Cycles by wait: producer, and each warpgroup's full and mma; then the producer's in all. */
  long long *waits;
};

/** Elements of a tile all have one value, 1 or 2, so that any layout gives the same sums. */
__host__ __device__ inline int tile_value(long long tile) { return tile % 3 == 0 ? 2 : 1; }

template <int n, int groups, Use use, Mode mode, bool linear>
__global__ void __launch_bounds__(groups * 128 + 128, 1) tensor_core(Tensor p) {
  __shared__ uint64_t bars[2][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1];
  const int group = threadIdx.x / 128;
  constexpr int bytes = groups * A_BYTES + n * B_ROW_BYTES;
  // Aligned once more, as kernels do: an address that the compiler keeps in a register.
  const uint32_t tiles = (at(shared) + 1023) & ~1023u;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], 1), barrier_init(&empty[s], groups);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  uint32_t waited[2] = {0, 0};
  const auto timed = [&](int which, auto wait_for) {
    const uint32_t begin = use == TRACED ? now_cycles() : 0;
    wait_for();
    if (use == TRACED) waited[which] += now_cycles() - begin;
  };
  if (group == groups) {
    if (threadIdx.x == groups * 128 && mode != ALONE) {
      Place at(p.stages, 1);
      Cursor from(p.source);
      for (int t = 0; t < p.blocks; t++) {
        const int s = at.stage;
        const uint32_t stage = tiles + s * bytes;
        if (mode == RING) timed(0, [&] { wait(&empty[s], at.phase); });
        else wait(&full[s], at.phase);
        arrive_expect(&full[s], bytes + p.copies * 1024);
        for (int g = 0; g < groups; g++) bulk_copy(stage + g * A_BYTES, from.at + g * A_BYTES, A_BYTES, &full[s]);
        bulk_copy(stage + groups * A_BYTES, from.at + groups * A_BYTES, n * B_ROW_BYTES, &full[s]);
        for (int c = 0; c < p.copies; c++) bulk_copy(stage + c * 1024, from.at + c * 1024, 1024, &full[s]);
        from.next();
        at.next();
      }
      if (p.waits) p.waits[0] = waited[0], p.waits[5] = clock.since();
      // The last copies must land before the memory is given to others.
      if (mode == STREAM)
        for (int t = max(0, p.blocks - p.stages); t < p.blocks; t++) wait(&full[t % p.stages], (t / p.stages) & 1);
    }
  } else {
#if HAS_WGMMA
    float d[n / 2] = {};
    Place at(p.stages);
    int last = -1, t = 0;
#pragma unroll 1
    do {
      const int s = at.stage;
      if (mode == RING) timed(0, [&] { wait(&full[s], at.phase); });
      const uint32_t a = tiles + s * bytes + A_BYTES * group, b = tiles + s * bytes + A_BYTES * groups;
      mma_fence();
#pragma unroll
      for (int k = 0; k < 4; k++) mma<BF16, n>(d, mma_tile(a + 32 * k), mma_tile(b + 32 * k));
      mma_commit();
      if constexpr (linear) {
        timed(1, [] { mma_wait<1>(); });
        if (mode == RING && last >= 0 && threadIdx.x % 128 == 0) arrive(&empty[last]);
        last = s;
      } else {
        timed(1, [] { mma_wait<0>(); });
        if (mode == RING && threadIdx.x % 128 == 0) arrive(&empty[s]);
      }
      at.next();
    } while (++t < p.blocks);
    mma_wait<0>();
    if (linear && mode == RING && threadIdx.x % 128 == 0) arrive(&empty[last]);
    if (threadIdx.x == 0) clock.stop(p.spans);
    if (p.waits && threadIdx.x % 128 == 0) p.waits[1 + 2 * group] = waited[0], p.waits[2 + 2 * group] = waited[1];
#pragma unroll
    for (int i = 0; i < n / 2; i++) asm volatile("" : "+f"(d[i])::"memory");
    float want = 0;
    if (use == CHECKED)
      for (int t = 0; t < p.blocks; t++) want += 64.0f * tile_value(t % p.source.tiles) * tile_value(t % p.source.tiles);
    int wrong = 0;
#pragma unroll
    for (int i = 0; i < n / 2; i++) wrong += use == CHECKED ? d[i] != want : d[i] == 12345.5f;
    if (wrong) atomicAdd(&device_errors, use == CHECKED ? wrong : 0);
#endif
  }
  __syncthreads();
}

__global__ void fill_tiles(char *source, long long bytes, int tile_bytes, int tiles) {
  uint4 *const words = reinterpret_cast<uint4 *>(source);
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < bytes / 16; i += step) {
    const uint32_t pair = tile_value(i * 16 / tile_bytes % tiles) == 1 ? 0x3f803f80u : 0x40004000u;
    words[i] = make_uint4(pair, pair, pair, pair);
  }
}

/** Values from 0.5 to 1 of either sign: the power that a multiplication takes depends on its data. */
__global__ void fill_values(char *source, long long bytes) {
  uint32_t *const words = reinterpret_cast<uint32_t *>(source);
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < bytes / 4; i += step) {
    uint32_t random = static_cast<uint32_t>(i) * 0x9e3779b9u;
    random = (random ^ random >> 15) * 0x85ebca6bu, random ^= random >> 13;
    words[i] = 0x3f003f00u | (random & 0x807f807fu);
  }
}

/** Timed runs have data of real programs, the checked one has sums that are known. */
inline void fill_for(bool checked, const Source &source, int ctas) {
  const long long bytes = source.cta_stride * ctas;
  if (checked) fill_tiles<<<4 * machine.sms, 256>>>(machine.source, bytes, source.bytes, source.tiles);
  else fill_values<<<4 * machine.sms, 256>>>(machine.source, bytes);
}

template <class Do> void with_shape(int n, int groups, Do go) {
  const auto with_groups = [&](auto size) {
    if (groups == 1) go(size, std::integral_constant<int, 1>());
    else go(size, std::integral_constant<int, 2>());
  };
  if (n == 64) with_groups(std::integral_constant<int, 64>());
  else if (n == 128) with_groups(std::integral_constant<int, 128>());
  else with_groups(std::integral_constant<int, 256>());
}

inline Shape tensor_shape(int n, int groups, int stages, int ctas) {
  return {ctas, groups * 128 + 128, stages * (groups * A_BYTES + n * B_ROW_BYTES)};
}

inline void launch_tensor(int n, int groups, Use use, const Tensor &p, int ctas) {
  const Shape shape = tensor_shape(n, groups, p.stages, ctas);
  with_shape(n, groups, [&](auto size, auto count) {
    constexpr int N = size(), G = count();
    const auto in_order = [&](auto order) {
      constexpr bool linear = order();
      if (p.mode == ALONE) launch(tensor_core<N, G, TIMED, ALONE, linear>, shape, p);
      else if (p.mode == STREAM) launch(tensor_core<N, G, TIMED, STREAM, linear>, shape, p);
      else if (use == TIMED) launch(tensor_core<N, G, TIMED, RING, linear>, shape, p);
      else if (use == CHECKED) launch(tensor_core<N, G, CHECKED, RING, linear>, shape, p);
      else launch(tensor_core<N, G, TRACED, RING, linear>, shape, p);
    };
    if (p.linear) in_order(std::true_type());
    else in_order(std::false_type());
  });
}

/** Main loops of a shape, with the source filled for it; nothing if there is too little memory. */
inline bool prepare(Tensor &p, const char *source, int ctas, int groups, int n) {
  const int bytes = groups * A_BYTES + n * B_ROW_BYTES;
  p.source = source_of(is_cold(source), p.blocks, bytes);
  // As of a matrix whose tiles come again and again.
  if (!is_cold(source)) p.source.tiles = 4, p.source.cta_stride = 4ll * bytes;
  p.spans = machine.spans;
  if (p.stages * bytes > machine.shared || p.stages > MOST_STAGES || !fits(p.source, ctas)) return false;
  fill_for(false, p.source, ctas);
  return true;
}

inline Times time_tensor(const std::string &row, const Tensor &p, const char *source, int ctas, int groups, int n) {
  const bool checks = p.mode == RING && p.copies == 0;
  if (checks) fill_for(true, p.source, ctas);
  return measure(row, ctas, is_cold(source), [&](bool checked) {
    launch_tensor(n, groups, checked && checks ? CHECKED : TIMED, p, ctas);
    if (checked && checks) fill_for(false, p.source, ctas);
  });
}

inline void measure_tensor_core() {
  Table table("tensor_core", "source,ctas,warpgroups,mma_n,stages,stage_bytes,k_blocks,order", TIMES);
  for (const char *source : SOURCES)
    for (int ctas : {1, machine.sms})
      for (int groups : {1, 2})
        for (int n : {64, 128, 256})
          for (int stages : {1, 2, 3, 4, 5})
            for (const char *order : {"scoped", "linear"}) {
              const bool linear = !strcmp(order, "linear");
              // Hand over hand holds two stages.
              if (linear && stages == 1) continue;
              const std::string key = text("%s,%d,%d,%d,%d,%d,256,%s", source, ctas, groups, n, stages,
                                           groups * A_BYTES + n * B_ROW_BYTES, order);
              Tensor p{{}, stages, 256, RING, 0, linear, nullptr, nullptr};
              if (!table.wants(key) || !prepare(p, source, ctas, groups, n)) continue;
              table.add(key, time_tensor("tensor_core " + key, p, source, ctas, groups, n).row());
            }
}

inline void measure_probe_mm() {
  Table table("probe_mm", "mma_n,warpgroups,stages,order,mode,copies", "cycles_per_block,producer_cycles_per_block,mhz");
  Table waits("probe_waits", "mma_n,warpgroups,order,stages",
              "cycles_per_block,producer_wait_empty,group0_wait_full,group0_wait_mma,group1_wait_full,group1_wait_mma");
  long long *counts;
  CHECK(cudaMallocManaged(&counts, 6 * sizeof(long long)));
  constexpr int BLOCKS = 1024;
  for (int n : {64, 128, 256})
    for (int groups : {1, 2})
      for (const char *order : {"scoped", "linear"})
        for (int stages : {2, 3, 4, 5}) {
          Tensor p{{}, stages, BLOCKS, RING, 0, !strcmp(order, "linear"), nullptr, counts};
          if (!prepare(p, "l2", 1, groups, n)) continue;
          const auto cycles = [&](const Times &times) { return quantile(times.middle, 0.5) / BLOCKS; };
          // As in the tables: 0 is all, 1 the tensor core alone, 2 a streaming producer beside it.
          const auto row = [&](int mode, int copies) {
            const std::string key = text("%d,%d,%d,%s,%d,%d", n, groups, stages, order, mode, copies);
            if (!table.wants(key)) return;
            p.mode = mode == 0 ? RING : mode == 1 ? ALONE : STREAM, p.copies = copies;
            const Times times = time_tensor("probe_mm " + key, p, "l2", 1, groups, n);
            const double producer = mode == 2 ? double(counts[5]) / BLOCKS : 0;
            table.add(key, text("%.1f,%.1f,%.0f", cycles(times), producer, quantile(times.mhz, 0.5)));
          };
          for (int copies : {0, 1, 2, 3, 4, 6, 8}) row(0, copies), row(2, copies);
          if (stages == 2) row(1, 0);
          const std::string key = text("%d,%d,%s,%d", n, groups, order, stages);
          if (!waits.wants(key)) continue;
          p.mode = RING, p.copies = 0;
          running = "probe_waits " + key;
          for (int run = 0; run < 2; run++) {
            for (int i = 0; i < 6; i++) counts[i] = 0;
            launch_tensor(n, groups, TRACED, p, 1);
            finish();
          }
          Times times;
          collect(times, 1);
          std::string results = text("%.1f", cycles(times));
          for (int i = 0; i < 5; i++) results += text(",%.1f", double(counts[i]) / BLOCKS);
          waits.add(key, results);
        }
  CHECK(cudaFree(counts));
}

/** The table of clocks, and how a row is added to it. */
inline Table clock_table() {
  return {"clocks", "program,source,ctas,warpgroups,mma_n,blocks", "cycles_per_block,mhz,mhz_min,mhz_max"};
}

inline void add_clock(Table &table, const std::string &key, const Times &times, int blocks) {
  table.add(key, text("%.1f,%.0f,%.0f,%.0f", quantile(times.middle, 0.5) / blocks, quantile(times.mhz, 0.5),
                      quantile(times.mhz, 0), quantile(times.mhz, 1)));
}

/** Before any tensor-core work, after which the clock of an SM is another one for a while. */
inline void measure_ring_clocks() {
  Table table = clock_table();
  for (const char *source : SOURCES)
    for (int ctas : {1, machine.sms})
      for (int blocks : {128, 1024}) {
        const std::string key = text("two-role 32 KiB,%s,%d,0,0,%d", source, ctas, blocks);
        const TwoRole p{source_of(is_cold(source), 128, 32768), 4, blocks, 1, 0, 0, machine.spans, machine.source};
        if (!fits(p.source, ctas) || !table.wants(key)) continue;
        const Times times = measure("clocks " + key, ctas, is_cold(source), [&](bool) {
          launch(two_role<false>, {ctas, 64, 4 * 32768}, p);
        });
        add_clock(table, key, times, blocks);
      }
}

inline void measure_clocks() {
  Table table = clock_table();
  for (int n : {64, 128, 256})
    for (int groups : {1, 2})
      for (const char *source : SOURCES)
        for (int ctas : {1, machine.sms})
          for (int blocks : {256, 1024, 8192}) {
            if (is_cold(source) && blocks > 256) continue;
            const std::string key = text("tensor,%s,%d,%d,%d,%d", source, ctas, groups, n, blocks);
            Tensor p{{}, 4, blocks, RING, 0, true, nullptr, nullptr};
            if (!table.wants(key) || !prepare(p, source, ctas, groups, n)) continue;
            add_clock(table, key, time_tensor("clocks " + key, p, source, ctas, groups, n), blocks);
          }
  // The power limit: a second of work, and short programs before and after it.
  Table states("clock_states", "mma_n,warpgroups,source,state", "cycles_per_block,mhz,ns_per_block");
  Table power("probe_clock", "k_blocks,run", "cycles_per_block,mhz");
  const auto states_of = [&](const char *state) {
    for (int n : {256, 128})
      for (const char *source : {"hbm", "l2"}) {
        const std::string key = text("%d,2,%s,%s", n, source, state);
        Tensor p{{}, 4, 256, RING, 0, true, nullptr, nullptr};
        if (!states.wants(key) || !prepare(p, source, machine.sms, 2, n)) continue;
        const Times times = time_tensor("clock_states " + key, p, source, machine.sms, 2, n);
        const double cycles = quantile(times.mean, 0.5) / 256, mhz = quantile(times.mhz, 0.5);
        states.add(key, text("%.1f,%.0f,%.1f", cycles, mhz, 1e3 * cycles / mhz));
      }
  };
  states_of("as it comes");
  for (int run = 0; run < 4; run++) {
    Tensor p{{}, 4, run == 0 ? 1000 : 1000000, RING, 0, true, nullptr, nullptr};
    const std::string key = text("%d,%d", p.blocks, run);
    if (!power.wants(key)) continue;
    p.source = source_of(false, 0, 49152), p.source.tiles = 4, p.source.cta_stride = 4 * 49152, p.spans = machine.spans;
    running = "probe_clock " + key;
    launch_tensor(256, 2, TIMED, p, machine.sms);
    finish();
    Times times;
    collect(times, machine.sms);
    power.add(key, text("%.1f,%.0f", times.mean[0] / p.blocks, times.mhz[0]));
  }
  states_of("after sustained load");
}
