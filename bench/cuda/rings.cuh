// Rings of single lanes: two roles, three roles, two rings that are released early or late.
#pragma once
#include "host.cuh"

constexpr int MOST_STAGES = 8;

extern __shared__ __align__(1024) char shared[];

/** Where the tiles of a CTA are: a window that is read again and again, or each tile once. */
struct Source {
  const char *from;
  long long cta_stride;
  int tiles, bytes;
  DEVICE const char *base() const { return from + blockIdx.x * cta_stride; }
  /** A tile by its number: for checks, as a division is dear. */
  DEVICE const char *tile(int t) const { return base() + static_cast<long long>(t % tiles) * bytes; }
};

/** The tiles of a CTA one after the other. */
struct Cursor {
  const char *at, *from, *end;
  int bytes;
  DEVICE explicit Cursor(const Source &source)
      : at(source.base()), from(at), end(at + static_cast<long long>(source.tiles) * source.bytes), bytes(source.bytes) {}
  DEVICE void next() {
    at += bytes;
    if (at >= end) at = from;
  }
};

/** The words of the source say where they are; a tile is right if its ends say so. */
DEVICE void check_tile(const void *tile, const char *from, const char *all, int bytes) {
  const uint32_t *words = static_cast<const uint32_t *>(tile);
  const uint32_t want = static_cast<uint32_t>((from - all) >> 2);
  if (words[0] != want) atomicAdd(&device_errors, 1);
  if (words[bytes / 4 - 1] != want + bytes / 4 - 1) atomicAdd(&device_errors, 1);
}

/** As of the host: so many bytes of each CTA from the start of `source`, cold or in the cache. */
inline Source source_of(bool cold, int tiles, int bytes) {
  const int window = cold ? tiles : static_cast<int>(std::max<long long>(1, WINDOW / bytes));
  return {machine.source, static_cast<long long>(window) * bytes, window, bytes};
}

inline bool fits(const Source &source, int ctas) {
  return static_cast<size_t>(source.cta_stride) * ctas <= machine.source_bytes;
}

struct TwoRole {
  Source source;
  int stages, tiles, consumers, producer_cycles, consumer_cycles;
  Span *spans;
  const char *all;
};

template <bool checked> __global__ void two_role(TwoRole p) {
  __shared__ uint64_t bars[2][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], 1), barrier_init(&empty[s], p.consumers);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  const int bytes = p.source.bytes;
  if (lane == 0 && warp == 0) {
    Place at(p.stages, 1);
    Cursor from(p.source);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&empty[s], at.phase);
      arrive_expect(&full[s], bytes);
      bulk_copy(shared + s * bytes, from.at, bytes, &full[s]);
      from.next();
      spin(p.producer_cycles);
    }
  } else if (lane == 0) {
    Place at(p.stages);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&full[s], at.phase);
      spin(p.consumer_cycles);
      if (checked) check_tile(shared + s * bytes, p.source.tile(t), p.all, bytes);
      arrive(&empty[s]);
    }
    if (warp == 1) clock.stop(p.spans);
  }
  __syncthreads();
}

struct Copies {
  Source source;
  int stages, copies, tiles, consumer_cycles;
  Span *spans;
  const char *all;
};

/** Two roles; a stage is several copies under one barrier. */
template <bool checked> __global__ void copied(Copies p) {
  __shared__ uint64_t bars[2][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], 1), barrier_init(&empty[s], 1);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  const int bytes = p.source.bytes, each = bytes / p.copies;
  if (lane == 0 && warp == 0) {
    Place at(p.stages, 1);
    Cursor from(p.source);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&empty[s], at.phase);
      arrive_expect(&full[s], bytes);
      for (int c = 0; c < p.copies; c++) bulk_copy(shared + s * bytes + c * each, from.at + c * each, each, &full[s]);
      from.next();
    }
  } else if (lane == 0) {
    Place at(p.stages);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&full[s], at.phase);
      spin(p.consumer_cycles);
      if (checked) check_tile(shared + s * bytes, p.source.tile(t), p.all, bytes);
      arrive(&empty[s]);
    }
    clock.stop(p.spans);
  }
  __syncthreads();
}

struct ThreeRole {
  Source source;
  int stages, k_steps, outputs, accum_stages, mma_cycles, epilogue_cycles;
  Span *spans;
  const char *all;
};

template <bool checked> __global__ void three_role(ThreeRole p) {
  __shared__ uint64_t bars[4][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1], *const done = bars[2], *const free = bars[3];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], 1), barrier_init(&empty[s], 1);
    for (int s = 0; s < p.accum_stages; s++) barrier_init(&done[s], 1), barrier_init(&free[s], 1);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  const int bytes = p.source.bytes, tiles = p.outputs * p.k_steps;
  if (lane == 0 && warp == 0) {
    Place at(p.stages, 1);
    Cursor from(p.source);
    for (int t = 0; t < tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&empty[s], at.phase);
      arrive_expect(&full[s], bytes);
      bulk_copy(shared + s * bytes, from.at, bytes, &full[s]);
      from.next();
    }
  } else if (lane == 0 && warp == 1) {
    Place at(p.stages), sum(p.accum_stages, 1);
    for (int o = 0, t = 0; o < p.outputs; o++, sum.next()) {
      wait(&free[sum.stage], sum.phase);
      for (int k = 0; k < p.k_steps; k++, t++, at.next()) {
        const int s = at.stage;
        wait(&full[s], at.phase);
        spin(p.mma_cycles);
        if (checked) check_tile(shared + s * bytes, p.source.tile(t), p.all, bytes);
        arrive(&empty[s]);
      }
      arrive(&done[sum.stage]);
    }
  } else if (lane == 0) {
    Place sum(p.accum_stages);
    for (int o = 0; o < p.outputs; o++, sum.next()) {
      wait(&done[sum.stage], sum.phase);
      spin(p.epilogue_cycles);
      arrive(&free[sum.stage]);
    }
    clock.stop(p.spans);
  }
  __syncthreads();
}

struct ReleaseOrder {
  Source a, b;
  int a_stages, b_stages, tiles, use_a, use_b;
  /** 1 releases A early, 0 late. */
  int early;
  Span *spans;
  const char *all;
};

template <bool checked> __global__ void release_order(ReleaseOrder p) {
  __shared__ uint64_t bars[4][MOST_STAGES];
  uint64_t *const a_full = bars[0], *const a_empty = bars[1], *const b_full = bars[2], *const b_empty = bars[3];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.a_stages; s++) barrier_init(&a_full[s], 1), barrier_init(&a_empty[s], 1);
    for (int s = 0; s < p.b_stages; s++) barrier_init(&b_full[s], 1), barrier_init(&b_empty[s], 1);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  char *const b_tiles = shared + p.a_stages * p.a.bytes;
  const auto produce = [&](const Source &source, uint64_t *full, uint64_t *empty, char *tiles, int stages) {
    Place at(stages, 1);
    Cursor from(source);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&empty[s], at.phase);
      arrive_expect(&full[s], source.bytes);
      bulk_copy(tiles + s * source.bytes, from.at, source.bytes, &full[s]);
      from.next();
    }
  };
  if (lane == 0 && warp == 0) {
    produce(p.a, a_full, a_empty, shared, p.a_stages);
  } else if (lane == 0 && warp == 2) {
    produce(p.b, b_full, b_empty, b_tiles, p.b_stages);
  } else if (lane == 0) {
    Place a(p.a_stages), b(p.b_stages);
    for (int t = 0; t < p.tiles; t++, a.next(), b.next()) {
      wait(&a_full[a.stage], a.phase);
      wait(&b_full[b.stage], b.phase);
      spin(p.use_a);
      if (checked) check_tile(shared + a.stage * p.a.bytes, p.a.tile(t), p.all, p.a.bytes);
      if (p.early == 1) arrive(&a_empty[a.stage]);
      spin(p.use_b);
      if (checked) check_tile(b_tiles + b.stage * p.b.bytes, p.b.tile(t), p.all, p.b.bytes);
      arrive(&b_empty[b.stage]);
      if (p.early == 0) arrive(&a_empty[a.stage]);
    }
    clock.stop(p.spans);
  }
  __syncthreads();
}

inline const std::vector<const char *> SOURCES = {"l2", "hbm"};

inline bool is_cold(const char *source) { return !strcmp(source, "hbm"); }

inline void measure_two_role() {
  Table table("two_role", "source,ctas,consumers,stages,tile_bytes,tiles,producer_cycles,consumer_cycles", TIMES);
  const auto row = [&](const char *source, int ctas, int consumers, int stages, int bytes, int producer, int consumer) {
    const bool cold = is_cold(source);
    const int tiles = ctas == machine.sms ? 128 : 256;
    const std::string key = text("%s,%d,%d,%d,%d,%d,%d,%d", source, ctas, consumers, stages, bytes,
                                 tiles, producer, consumer);
    const Source from = source_of(cold, tiles, bytes);
    if (stages * bytes > machine.shared || !fits(from, ctas) || !table.wants(key)) return;
    const TwoRole p{from, stages, tiles, consumers, producer, consumer, machine.spans, machine.source};
    const Shape shape{ctas, 32 * (1 + consumers), stages * bytes};
    const Times times = measure("two_role " + key, ctas, cold, [&](bool checked) {
      launch(checked ? two_role<true> : two_role<false>, shape, p);
    });
    table.add(key, times.row());
  };
  const int all = machine.sms;
  for (const char *source : SOURCES)
    for (int ctas : {1, all})
      for (int stages : {1, 2, 3, 4, 6, 8})
        for (int bytes : {1024, 4096, 8192, 16384, 24576, 32768})
          for (int consumer : {0, 100, 200, 350, 500, 700, 1000, 1500, 2500, 4000}) {
            // All SMs together take their time: every other row.
            const bool rare = consumer == 100 || consumer == 350 || consumer == 700 || bytes == 24576;
            if (ctas == 1 || !rare) row(source, ctas, 1, stages, bytes, 0, consumer);
          }
  for (int consumers : {1, 2, 4})
    for (int stages : {2, 4})
      for (int consumer : {0, 200, 500, 1000, 2500})
        for (int producer : {100, 300, 800}) row("l2", 1, consumers, stages, 8192, producer, consumer);
  // Part of the SMs: neither alone nor all that share the memory.
  for (const char *source : SOURCES)
    for (int ctas : {2, 4, 8, 16, 24, 33, 48, 66, 99})
      for (int bytes : {8192, 32768})
        for (int consumer : {0, 350})
          if (ctas < all) row(source, ctas, 1, 4, bytes, 0, consumer);
}

/** A stage of several copies. */
inline void measure_probe_copies() {
  Table table("probe_copies", "source,stages,copies,copy_bytes,tiles,consumer_cycles", "total_cycles");
  for (int stages : {1, 2, 4, 6})
    for (int copies : {1, 2, 3, 4, 6, 8})
      for (int bytes : {1024, 4096, 8192, 16384})
        for (int consumer : {0, 300}) {
          const std::string key = text("l2,%d,%d,%d,256,%d", stages, copies, bytes, consumer);
          if (stages * copies * bytes > machine.shared || !table.wants(key)) continue;
          const Copies p{source_of(false, 0, copies * bytes), stages, copies, 256, consumer, machine.spans, machine.source};
          const Times times = measure("probe_copies " + key, 1, false, [&](bool checked) {
            launch(checked ? copied<true> : copied<false>, {1, 64, stages * copies * bytes}, p);
          });
          table.add(key, text("%.0f", quantile(times.middle, 0.5)));
        }
}

inline void measure_three_role() {
  Table table("three_role",
              "source,stages,tile_bytes,k_steps,output_tiles,accum_stages,mma_cycles,epilogue_cycles",
              TIMES);
  for (const char *source : SOURCES)
    for (int stages : {1, 2, 4, 6})
      for (int bytes : {8192, 32768})
        for (int steps : {4, 16})
          for (int accum : {1, 2})
            for (int mma : {150, 400, 900})
              for (int epilogue : {500, 2000, 6000}) {
                const bool cold = is_cold(source);
                const std::string key = text("%s,%d,%d,%d,24,%d,%d,%d", source, stages, bytes, steps,
                                             accum, mma, epilogue);
                if (stages * bytes > machine.shared || !table.wants(key)) continue;
                const ThreeRole p{source_of(cold, 24 * steps, bytes), stages, steps, 24, accum, mma,
                                  epilogue, machine.spans, machine.source};
                const Times times = measure("three_role " + key, 1, cold, [&](bool checked) {
                  launch(checked ? three_role<true> : three_role<false>,
                         {1, 96, stages * bytes}, p);
                });
                table.add(key, times.row());
              }
}

inline void measure_release_order() {
  Table table("release_order",
              "source,a_stages,a_bytes,b_stages,b_bytes,tiles,use_a_cycles,use_b_cycles,order", TIMES);
  for (const char *source : SOURCES)
    for (int a_stages : {1, 2, 3})
      for (int a_bytes : {4096, 32768})
        for (int b_stages : {1, 2, 4})
          for (int use_a : {50, 200, 800})
            for (int use_b : {50, 400, 1600})
              for (const char *order : {"scoped", "linear"}) {
                const bool cold = is_cold(source);
                const std::string key = text("%s,%d,%d,%d,8192,256,%d,%d,%s", source, a_stages, a_bytes,
                                             b_stages, use_a, use_b, order);
                if (!table.wants(key)) continue;
                ReleaseOrder p{source_of(cold, 256, a_bytes), source_of(cold, 256, 8192), a_stages,
                               b_stages, 256, use_a, use_b, strcmp(order, "linear") ? 0 : 1, machine.spans,
                               machine.source};
                p.b.from += p.a.cta_stride;
                const int bytes = a_stages * a_bytes + b_stages * 8192;
                const Times times = measure("release_order " + key, 1, cold, [&](bool checked) {
                  launch(checked ? release_order<true> : release_order<false>,
                         {1, 96, bytes}, p);
                });
                table.add(key, times.row());
              }
}
