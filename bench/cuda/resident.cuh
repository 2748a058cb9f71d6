// Programs of which an SM holds several CTAs: a tensor core, stores and copies by threads that they share.
#pragma once
#include "store.cuh"
#include "tensor.cuh"

/** As much shared memory for each CTA as lets so many of them onto an SM; barriers count, too. */
inline int shared_for(int per_sm) { return machine.shared / per_sm - 2048; }

/** Whether an SM holds so many CTAs of a kernel: its registers may be too many for that. */
template <class... Arguments> bool holds(void (*kernel)(Arguments...), const Shape &shape, int per_sm) {
  int fitting = 0;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shape.shared));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, kernel, shape.threads, shape.shared));
  return fitting == per_sm;
}

/** Tiles of a CTA: a few that are read again and again, so that those of all CTAs stay in the L2. */
inline Source resident_source(const char *source, int tiles, int bytes) {
  Source from = source_of(is_cold(source), tiles, bytes);
  if (!is_cold(source)) from.tiles = 4, from.cta_stride = 4ll * bytes;
  return from;
}

/** CTAs that fill SMs unevenly, and evenly. */
inline std::vector<int> resident_counts(int per_sm) {
  return {machine.sms, machine.sms * (2 * per_sm - 1) / 2, machine.sms * per_sm};
}

inline void measure_resident_store() {
  Table table("resident_store", "source,per_sm,ctas,stages,out_stages,tile_bytes,tiles,compute_cycles,depth", TIMES);
  for (const char *source : SOURCES)
    for (int per_sm : {2, 4})
      for (int ctas : resident_counts(per_sm))
        for (int outs : {1, 2})
          for (int bytes : {4096, 8192})
            for (int compute : {0, 300, 1000}) {
              const int stages = 2, tiles = 64, depth = outs - 1, all = shared_for(per_sm);
              const Source from = resident_source(source, tiles, bytes);
              const std::string key = text("%s,%d,%d,%d,%d,%d,%d,%d,%d", source, per_sm, ctas, stages, outs, bytes,
                                           tiles, compute, depth);
              const bool is_stored = from.cta_stride * ctas <= static_cast<long long>(machine.sink_bytes);
              const Shape shape{ctas, 96, all, 1, true};
              if ((stages + outs) * bytes > all || !fits(from, ctas) || !is_stored) continue;
              if (!table.wants(key) || !holds(::store<false>, shape, per_sm)) continue;
              const Store p{from, stages, outs, tiles, compute, depth, machine.sink, machine.spans, machine.source};
              const Times times = measure("resident_store " + key, ctas, is_cold(source), [&](bool checked) {
                launch(checked ? ::store<true> : ::store<false>, shape, p);
              });
              table.add(key, times.row());
            }
}

inline void measure_resident_cp_async() {
  Table table("resident_cp_async", "source,per_sm,ctas,lanes,stages,tile_bytes,tiles,consumer_cycles", TIMES);
  for (const char *source : SOURCES)
    for (int per_sm : {2, 4})
      for (int ctas : resident_counts(per_sm))
        for (int lanes : {32, 128})
          for (int bytes : {4096, 8192})
            for (int consumer : {0, 300, 1000}) {
              const int stages = 2, tiles = 64, all = shared_for(per_sm);
              const Source from = resident_source(source, tiles, bytes);
              const std::string key =
                  text("%s,%d,%d,%d,%d,%d,%d,%d", source, per_sm, ctas, lanes, stages, bytes, tiles, consumer);
              const Shape shape{ctas, lanes + 32, all, 1, true};
              if (!fits(from, ctas) || !table.wants(key) || !holds(cp_async<false>, shape, per_sm)) continue;
              const Threads p{from, lanes, stages, tiles, consumer, machine.spans, machine.source};
              const Times times = measure("resident_cp_async " + key, ctas, is_cold(source), [&](bool checked) {
                launch(checked ? cp_async<true> : cp_async<false>, shape, p);
              });
              table.add(key, times.row());
            }
}

inline void measure_resident_tensor() {
  Table table("resident_tensor_core", "source,per_sm,ctas,warpgroups,mma_n,stages,stage_bytes,k_blocks,order", TIMES);
  const auto row = [&](const char *source, int per_sm, int ctas, int groups, int n, int stages, bool linear) {
    const int blocks = 128, bytes = groups * A_BYTES + n * B_ROW_BYTES;
    const std::string key = text("%s,%d,%d,%d,%d,%d,%d,%d,%s", source, per_sm, ctas, groups, n, stages, bytes, blocks,
                                 linear ? "linear" : "scoped");
    Tensor p{{}, stages, blocks, RING, 0, linear, nullptr, nullptr};
    const Shape shape{ctas, groups * 128 + 128, shared_for(per_sm), 1, true};
    if (stages * bytes + 1024 > shape.shared || !table.wants(key) || !prepare(p, source, ctas, groups, n)) return;
    with_shape(n, groups, [&](auto size, auto count) {
      constexpr int N = size(), G = count();
      const auto in_order = [&](auto order) {
        constexpr bool is_linear = order();
        if (!holds(tensor_core<N, G, TIMED, RING, is_linear>, shape, per_sm)) return;
        if (!holds(tensor_core<N, G, CHECKED, RING, is_linear>, shape, per_sm)) return;
        fill_for(true, p.source, ctas);
        const Times times = measure("resident_tensor_core " + key, ctas, is_cold(source), [&](bool checked) {
          if (checked) launch(tensor_core<N, G, CHECKED, RING, is_linear>, shape, p);
          else launch(tensor_core<N, G, TIMED, RING, is_linear>, shape, p);
          if (checked) fill_for(false, p.source, ctas);
        });
        table.add(key, times.row());
      };
      if (linear) in_order(std::true_type());
      else in_order(std::false_type());
    });
  };
  for (const char *source : SOURCES)
    for (int per_sm : {2, 3})
      for (int ctas : resident_counts(per_sm))
        for (int groups : {1, 2})
          for (int n : {64, 128})
            for (int stages : {2, 3, 4})
              for (bool linear : {false, true}) row(source, per_sm, ctas, groups, n, stages, linear);
}
