// Rings with other copies and other waiters: tensor maps, multicast, bulk stores, cp.async, warps.
#pragma once
#include "rings.cuh"
#include <cuda.h>
#include <cudaTypedefs.h>

struct Styles {
  Source source;
  int lanes, stages, tiles, consumer_cycles;
  Span *spans;
  const char *all;
};

/** Whole warps wait in CUTLASS's loop, one elected lane copies or arrives. */
template <bool checked> __global__ void styles(Styles p) {
  __shared__ uint64_t bars[2][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1];
  const int lane = threadIdx.x % 32;
  const bool alone = p.lanes == 1;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], 1), barrier_init(&empty[s], 1);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  const int bytes = p.source.bytes;
  if (threadIdx.x < 32) {
    if (!alone || lane == 0) {
      Place at(p.stages, 1);
      Cursor from(p.source);
      for (int t = 0; t < p.tiles; t++, at.next()) {
        const int s = at.stage;
        wait_closely(&empty[s], at.phase);
        if (lane == 0) {
          arrive_expect(&full[s], bytes);
          bulk_copy(shared + s * bytes, from.at, bytes, &full[s]);
          from.next();
        }
      }
    }
  } else if (!alone || lane == 0) {
    Place at(p.stages);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait_closely(&full[s], at.phase);
      spin(p.consumer_cycles);
      if (checked && threadIdx.x == 32) check_tile(shared + s * bytes, p.source.tile(t), p.all, bytes);
      if (threadIdx.x == 32) arrive(&empty[s]);
    }
    if (threadIdx.x == 32) clock.stop(p.spans);
  }
  __syncthreads();
}

inline void measure_styles() {
  Table table("styles", "source,ctas,lanes,stages,tile_bytes,tiles,consumer_cycles", TIMES);
  for (const char *source : SOURCES)
    for (int ctas : {1, machine.sms})
      for (int lanes : {1, 32, 128})
        for (int stages : {1, 2, 4, 6})
          for (int bytes : {4096, 16384, 32768})
            for (int consumer : {0, 300, 1000}) {
              const bool cold = is_cold(source);
              const std::string key =
                  text("%s,%d,%d,%d,%d,128,%d", source, ctas, lanes, stages, bytes, consumer);
              const Source from = source_of(cold, 128, bytes);
              if (!fits(from, ctas) || !table.wants(key)) continue;
              const Styles p{from, lanes, stages, 128, consumer, machine.spans, machine.source};
              const Shape shape{ctas, 32 + (lanes == 128 ? 128 : 32), stages * bytes};
              const Times times = measure("styles " + key, ctas, cold, [&](bool checked) {
                launch(checked ? styles<true> : styles<false>, shape, p);
              });
              table.add(key, times.row());
            }
}

struct Mapped {
  Source source;
  int stages, copies, tiles, consumer_cycles;
  Span *spans;
};

/** Two roles; a stage is `copies` boxes of 64 elements of 2 bytes by rows. */
template <bool checked> __global__ void tensormap(const __grid_constant__ CUtensorMap map, Mapped p) {
  __shared__ uint64_t bars[2][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], 1), barrier_init(&empty[s], 1);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  const int bytes = p.source.bytes, rows = bytes / 128, all = p.copies * bytes;
  const int first = static_cast<int>(blockIdx.x * p.source.cta_stride / 128);
  if (lane == 0 && warp == 0) {
    Place at(p.stages, 1);
    const int end = first + p.source.tiles * rows;
    int row = first;
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&empty[s], at.phase);
      arrive_expect(&full[s], all);
      for (int c = 0; c < p.copies; c++) {
        tensor_copy(shared + s * all + c * bytes, &map, 0, row, &full[s]);
        row += rows;
        if (row >= end) row = first;
      }
    }
  } else if (lane == 0) {
    Place at(p.stages);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&full[s], at.phase);
      spin(p.consumer_cycles);
      if (checked)
        for (int c = 0; c < p.copies; c++) {
          const uint32_t word = *reinterpret_cast<uint32_t *>(shared + s * all + c * bytes);
          if (word != (first + (t * p.copies + c) % p.source.tiles * rows) * 32u)
            atomicAdd(&device_errors, 1);
        }
      arrive(&empty[s]);
    }
    clock.stop(p.spans);
  }
  __syncthreads();
}

/** The source as a matrix of rows of 128 bytes; found at run time, so that nothing more is linked. */
inline CUtensorMap map_of(int rows) {
  static PFN_cuTensorMapEncodeTiled_v12000 encode = nullptr;
  if (!encode) {
    cudaDriverEntryPointQueryResult found;
    void *entry = nullptr;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault,
                                           &found));
    encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry);
  }
  CUtensorMap map{};
  const cuuint64_t sizes[2] = {64, machine.source_bytes / 128};
  const cuuint64_t strides[1] = {128};
  const cuuint32_t box[2] = {64, static_cast<cuuint32_t>(rows)}, steps[2] = {1, 1};
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, machine.source, sizes, strides, box, steps,
             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) fprintf(stderr, "tensor map of %d rows: error %d\n", rows, result);
  return map;
}

inline void measure_tensormap() {
  Table table("tensormap", "source,ctas,stages,tile_bytes,copies,tiles,consumer_cycles", TIMES);
  for (const char *source : SOURCES)
    for (int ctas : {1, machine.sms})
      for (int stages : {1, 2, 4, 6})
        for (int bytes : {8192, 16384, 32768})
          for (int copies : {1, 2, 3, 4})
            for (int consumer : {0, 300, 1000}) {
              const bool cold = is_cold(source);
              const std::string key =
                  text("%s,%d,%d,%d,%d,128,%d", source, ctas, stages, bytes, copies, consumer);
              const Source from = source_of(cold, 128 * copies, bytes);
              if (stages * bytes * copies > machine.shared || !fits(from, ctas) || !table.wants(key))
                continue;
              const Mapped p{from, stages, copies, 128, consumer, machine.spans};
              const CUtensorMap map = map_of(bytes / 128);
              const Shape shape{ctas, 64, stages * bytes * copies};
              const Times times = measure("tensormap " + key, ctas, cold, [&](bool checked) {
                launch(checked ? tensormap<true> : tensormap<false>, shape, map, p);
              });
              table.add(key, times.row());
            }
}

struct Multicast {
  Source a, b;
  int stages, tiles, consumer_cycles;
  Span *spans;
  const char *all;
};

/** Clusters of two: A by each for itself, half of B by each for both. */
template <bool checked> __global__ void multicast(Multicast p) {
  __shared__ uint64_t bars[2][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], 1), barrier_init(&empty[s], 2);
    fence_init();
  }
  cluster_sync();
  const Clock clock = Clock::start();
  const int bytes = p.a.bytes + p.b.bytes, half = p.b.bytes / 2;
  const char *const b_from = p.b.from + blockIdx.x / 2 * p.b.cta_stride;
  if (lane == 0 && warp == 0) {
    Place at(p.stages, 1);
    Cursor a(p.a);
    const char *const b_end = b_from + p.b.tiles * static_cast<long long>(p.b.bytes);
    const char *b = b_from;
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      char *const stage = shared + s * bytes;
      wait(&empty[s], at.phase);
      arrive_expect(&full[s], bytes);
      bulk_copy(stage, a.at, p.a.bytes, &full[s]);
      bulk_multicast(stage + p.a.bytes + rank * half, b + rank * half, half, &full[s], 3);
      a.next();
      b += p.b.bytes;
      if (b >= b_end) b = b_from;
    }
  } else if (lane == 0) {
    Place at(p.stages);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&full[s], at.phase);
      spin(p.consumer_cycles);
      if (checked) {
        check_tile(shared + s * bytes, p.a.tile(t), p.all, p.a.bytes);
        check_tile(shared + s * bytes + p.a.bytes, b_from + t % p.b.tiles * p.b.bytes, p.all, p.b.bytes);
      }
      arrive_remote(at_rank(&empty[s], 1 - rank));
      arrive(&empty[s]);
    }
    clock.stop(p.spans);
  }
  __syncthreads();
  cluster_sync();
}

inline void measure_multicast() {
  Table table("multicast", "source,ctas,stages,a_bytes,b_bytes,tiles,consumer_cycles", TIMES);
  for (const char *source : SOURCES)
    for (int ctas : {2, machine.sms / 2 * 2})
      for (int stages : {1, 2, 4, 6})
        for (int a_bytes : {8192, 16384})
          for (int b_bytes : {8192, 32768})
            for (int consumer : {0, 300, 1000}) {
              const bool cold = is_cold(source);
              const std::string key =
                  text("%s,%d,%d,%d,%d,128,%d", source, ctas, stages, a_bytes, b_bytes, consumer);
              Multicast p{source_of(cold, 128, a_bytes), source_of(cold, 128, b_bytes), stages, 128,
                          consumer, machine.spans, machine.source};
              p.b.from += p.a.cta_stride * ctas;
              const int shared_bytes = stages * (a_bytes + b_bytes);
              if (shared_bytes > machine.shared || !fits(p.a, 2 * ctas) || !fits(p.b, ctas)) continue;
              if (!table.wants(key)) continue;
              const Times times = measure("multicast " + key, ctas, cold, [&](bool checked) {
                launch(checked ? multicast<true> : multicast<false>, {ctas, 64, shared_bytes, 2}, p);
              });
              table.add(key, times.row());
            }
}
