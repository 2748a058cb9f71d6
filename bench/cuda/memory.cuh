// The memory by itself: who shares what. Streams of copies, groups of SMs, waves, other CTAs' memory.
#pragma once
#include "rings.cuh"
#include "kinds.cuh"

struct Stream {
  Source source;
  /** Copies in flight, each of the source's bytes; copies in all. */
  int depth, copies, kind;
  /** Of each cluster only the CTAs below this rank copy. */
  int active;
  Span *spans;
};

enum StreamKind { BULK, TENSOR_MAP, CP_ASYNC, LOADS };

/** One lane (or a warpgroup, for the kinds of threads) that keeps `depth` copies in flight. */
__global__ void stream(const __grid_constant__ CUtensorMap map, Stream p) {
  __shared__ uint64_t full[MOST_STAGES];
  const bool by_threads = p.kind == CP_ASYNC || p.kind == LOADS;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.depth; s++) barrier_init(&full[s], by_threads ? blockDim.x : 1);
    fence_init();
  }
  __syncthreads();
  if (cluster_rank() >= p.active) return;
  const int bytes = p.source.bytes, thread = threadIdx.x;
  const int first = static_cast<int>(blockIdx.x * p.source.cta_stride / 128), rows = bytes / 128;
  if (!by_threads && thread != 0) return;
  const Clock clock = Clock::start();
  if (p.kind == LOADS) {
    uint32_t sum = 0;
    for (int t = 0; t < p.copies; t++) {
      const char *const from = p.source.tile(t);
#pragma unroll 8
      for (int i = thread * 16; i < bytes; i += blockDim.x * 16) {
        const uint4 word = __ldcg(reinterpret_cast<const uint4 *>(from + i));
        sum += word.x ^ word.w;
      }
    }
    // Never so: the loads are not to be left out.
    if (sum == 1) p.spans[0].pad = sum;
  } else {
    Place at(p.depth, 1);
    Cursor from(p.source);
    for (int t = 0; t < p.copies + p.depth; t++, at.next(), from.next()) {
      const int s = at.stage;
      if (t >= p.depth) wait(&full[s], at.phase);
      if (t >= p.copies) continue;
      if (p.kind == CP_ASYNC) {
#pragma unroll 8
        for (int i = thread * 16; i < bytes; i += blockDim.x * 16) async_16(shared + s * bytes + i, from.at + i);
        async_arrive(&full[s]);
      } else {
        arrive_expect(&full[s], bytes);
        if (p.kind == BULK) bulk_copy(shared + s * bytes, from.at, bytes, &full[s]);
        else tensor_copy(shared + s * bytes, &map, 0, first + t % p.source.tiles * rows, &full[s]);
      }
    }
  }
  if (thread == 0) clock.stop(p.spans);
}

inline const char *KIND_NAMES[] = {"bulk", "tensormap", "cp_async", "loads"};

/** The SMs of the last launch, as a list of the table. */
inline std::string sms_of(int ctas) {
  std::vector<Span> spans(ctas);
  CHECK(cudaMemcpy(spans.data(), machine.spans, ctas * sizeof(Span), cudaMemcpyDeviceToHost));
  std::string list;
  for (const Span &span : spans)
    if (span.cycles) list += text(list.empty() ? "%u" : ";%u", span.sm);
  return list;
}

inline std::string rate(const Times &times, double copies, double bytes, double active) {
  const double cycles = quantile(times.mean, 0.5) / copies, slowest = quantile(times.slowest, 0.5) / copies;
  const double clock = quantile(times.mhz, 0.5);
  return text("%.1f,%.1f,%.2f,%.1f,%.1f,%.0f", cycles, slowest, bytes / cycles, active * bytes / cycles,
              active * bytes / cycles * clock / 1e3, clock);
}

inline const char *RATES =
    "cycles_per_copy,slowest_cycles_per_copy,bytes_per_cycle_and_cta,bytes_per_cycle,gigabytes_per_second,mhz";

inline void measure_bandwidth() {
  Table table("bandwidth", "kind,source,ctas,bytes,in_flight,threads", RATES);
  const auto row = [&](int kind, const char *source, int ctas, int bytes, int depth, int threads) {
    const bool cold = is_cold(source);
    const int copies = cold ? 128 : 512;
    const std::string key =
        text("%s,%s,%d,%d,%d,%d", KIND_NAMES[kind], source, ctas, bytes, depth, threads);
    const Source from = source_of(cold, copies, bytes);
    if (depth * bytes > machine.shared || !fits(from, ctas) || !table.wants(key)) return;
    const CUtensorMap map = kind == TENSOR_MAP ? map_of(bytes / 128) : CUtensorMap{};
    const Stream p{from, depth, copies, kind, 1 << 20, machine.spans};
    const Times times = measure("bandwidth " + key, ctas, cold, [&](bool) {
      launch(stream, {ctas, threads, depth * bytes}, map, p);
    });
    table.add(key, rate(times, copies, bytes, ctas));
  };
  std::vector<int> counts;
  for (int ctas : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 24, 28, 33, 40, 48, 56, 66, 78, 90, 99, 112, 120, 126, 132, 144})
    if (ctas < machine.sms) counts.push_back(ctas);
  counts.push_back(machine.sms);
  for (const char *source : SOURCES) {
    for (int ctas : counts) {
      if (machine.hopper) {
        row(BULK, source, ctas, 32768, 4, 32);
        row(BULK, source, ctas, 8192, 4, 32);
        row(TENSOR_MAP, source, ctas, 32768, 4, 32);
      }
      row(LOADS, source, ctas, 32768, 1, 1024);
    }
    for (int ctas : {1, 16, machine.sms}) {
      for (int threads : {128, 512}) row(CP_ASYNC, source, ctas, 16384, 4, threads);
      if (machine.hopper)
        for (int bytes : {1024, 2048, 4096, 16384})
          for (int depth : {1, 2, 4, 8}) row(BULK, source, ctas, bytes, depth, 32);
    }
  }
}

/** The SMs of one cluster share a GPC: so many of them copy, the others stand. */
inline void measure_groups() {
  Table table("groups", "source,cluster,clusters,active,bytes,in_flight", text("%s,sms", RATES));
  int widest = 8;
  CHECK(cudaFuncSetAttribute(stream, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchConfig_t config{};
  config.gridDim = 16, config.blockDim = 32, config.dynamicSmemBytes = 4 * 32768;
  CHECK(cudaFuncSetAttribute(stream, cudaFuncAttributeMaxDynamicSharedMemorySize, 4 * 32768));
  if (cudaOccupancyMaxPotentialClusterSize(&widest, stream, &config) != cudaSuccess) widest = 8;
  widest = widest >= 16 ? 16 : 8;
  for (const char *source : SOURCES)
    for (int clusters : {1, 2, 4, 6})
      for (int active = 1; active <= widest; active++) {
        if (clusters > 1 && active % 4) continue;
        const bool cold = is_cold(source);
        const int bytes = 32768, copies = cold ? 64 : 256, ctas = widest * clusters;
        const std::string key = text("%s,%d,%d,%d,%d,4", source, widest, clusters, active, bytes);
        if (!table.wants(key)) continue;
        const Stream p{source_of(cold, copies, bytes), 4, copies, BULK, active, machine.spans};
        const Times times = measure("groups " + key, ctas, cold, [&](bool) {
          launch(stream, {ctas, 32, 4 * bytes, widest}, CUtensorMap{}, p);
        });
        table.add(key, rate(times, copies, bytes, active * clusters) + "," + sms_of(ctas));
      }
}

/** More CTAs than SMs: several on an SM, and one after the other. */
inline void measure_waves() {
  Table table("waves", "source,per_sm,ctas,stages,tile_bytes,tiles,consumer_cycles",
              text("%s,kernel_ns,event_ns", TIMES));
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  const int all = machine.sms;
  for (const char *source : SOURCES)
    for (int per_sm : {1, 2, 3, 4})
      for (int ctas : {1, 2, all / 2, all, all + 1, 3 * all / 2, 2 * all, 2 * all + 8, 3 * all, 4 * all, 5 * all})
        for (int bytes : {8192, 16384})
          for (int consumer : {0, 1000}) {
            const bool cold = is_cold(source);
            const int stages = 2, tiles = 32;
            const std::string key =
                text("%s,%d,%d,%d,%d,%d,%d", source, per_sm, ctas, stages, bytes, tiles, consumer);
            Source from = source_of(cold, tiles, bytes);
            if (!cold) from.tiles = 4, from.cta_stride = 4ll * bytes;
            // As much shared memory for each CTA as lets so many of them onto an SM.
            const int most = machine.shared / per_sm - 2048;
            if (most < stages * bytes || !fits(from, ctas) || !table.wants(key)) continue;
            const TwoRole p{from, stages, tiles, 1, 0, consumer, machine.spans, machine.source};
            std::vector<double> elapsed;
            const Times times = measure("waves " + key, ctas, cold, [&](bool checked) {
              CHECK(cudaEventRecord(begin));
              launch(checked ? two_role<true> : two_role<false>, {ctas, 64, most, 1, true}, p);
              CHECK(cudaEventRecord(end));
              wait_for_gpu();
              float ms = 0;
              CHECK(cudaEventElapsedTime(&ms, begin, end));
              if (!checked) elapsed.push_back(1e6 * ms);
            });
            table.add(key, times.row() + text(",%.0f,%.0f", quantile(times.kernel_ns, 0.5),
                                              quantile(elapsed, 0.5)));
          }
}
