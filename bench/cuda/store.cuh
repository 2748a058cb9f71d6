// Copies out of shared memory and copies without the copy engine: bulk stores, reductions, cp.async.
#pragma once
#include "rings.cuh"

struct Store {
  Source source;
  int stages, out_stages, tiles, compute_cycles, depth;
  char *sink;
  Span *spans;
  const char *all;
};

/** load -> compute -> bulk store; `depth` groups of stores stay open. */
template <bool checked> __global__ void store(Store p) {
  __shared__ uint64_t bars[4][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1], *const ready = bars[2], *const free = bars[3];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], 1), barrier_init(&empty[s], 1);
    for (int s = 0; s < p.out_stages; s++) barrier_init(&ready[s], 1), barrier_init(&free[s], 1);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  const int bytes = p.source.bytes;
  char *const outs = shared + p.stages * bytes;
  if (lane == 0 && warp == 0) {
    Place at(p.stages, 1);
    Cursor from(p.source);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&empty[s], at.phase);
      arrive_expect(&full[s], bytes);
      bulk_copy(shared + s * bytes, from.at, bytes, &full[s]);
      from.next();
    }
  } else if (lane == 0 && warp == 1) {
    Place at(p.stages), out(p.out_stages, 1);
    for (int t = 0; t < p.tiles; t++, at.next(), out.next()) {
      const int s = at.stage, o = out.stage;
      wait(&full[s], at.phase);
      wait(&free[o], out.phase);
      spin(p.compute_cycles);
      if (checked) {
        check_tile(shared + s * bytes, p.source.tile(t), p.all, bytes);
        *reinterpret_cast<int *>(outs + o * bytes) = t;
        fence_async();
      }
      arrive(&ready[o]);
      arrive(&empty[s]);
    }
  } else if (lane == 0) {
    Place out(p.out_stages);
    char *const to = p.sink + blockIdx.x * p.source.cta_stride, *const end = to + p.source.cta_stride;
    char *next = to;
    int last = -1;
    for (int t = 0; t < p.tiles; t++, out.next()) {
      const int o = out.stage;
      wait(&ready[o], out.phase);
      bulk_store(next, outs + o * bytes, bytes);
      bulk_commit();
      next += bytes;
      if (next >= end) next = to;
      if (p.depth == 0) {
        bulk_wait_read<0>();
        arrive(&free[o]);
      } else {
        bulk_wait_read<1>();
        if (last >= 0) arrive(&free[last]);
        last = o;
      }
    }
    bulk_wait_read<0>();
    if (last >= 0) arrive(&free[last]);
    clock.stop(p.spans);
    if (checked) {
      bulk_wait<0>();
      for (int t = p.tiles - p.out_stages; t < p.tiles; t++) {
        const volatile int *word = reinterpret_cast<int *>(to + static_cast<long long>(t % p.source.tiles) * bytes);
        if (*word != t) atomicAdd(&device_errors, 1);
      }
    }
  }
  __syncthreads();
}

inline void measure_store() {
  Table table("store", "source,ctas,stages,out_stages,tile_bytes,tiles,compute_cycles,depth", TIMES);
  for (const char *source : SOURCES)
    for (int ctas : {1, machine.sms})
      for (int stages : {2, 4})
        for (int outs : {1, 2, 3})
          for (int bytes : {4096, 16384, 32768})
            for (int compute : {0, 300, 1000})
              for (int depth : {0, 1}) {
                if (depth >= outs || (stages + outs) * bytes > machine.shared) continue;
                const bool cold = is_cold(source);
                const std::string key = text("%s,%d,%d,%d,%d,128,%d,%d", source, ctas, stages, outs,
                                             bytes, compute, depth);
                const Source from = source_of(cold, 128, bytes);
                if (!fits(from, ctas) || from.cta_stride * ctas > (long long)machine.sink_bytes) continue;
                if (!table.wants(key)) continue;
                const Store p{from,         stages,        outs,          128, compute, depth,
                              machine.sink, machine.spans, machine.source};
                const Times times = measure("store " + key, ctas, cold, [&](bool checked) {
                  launch(checked ? ::store<true> : ::store<false>, {ctas, 96, (stages + outs) * bytes}, p);
                });
                table.add(key, times.row());
              }
}

/** Cycles of single stores or reductions: until read, until all done, each with four in flight. */
template <bool reduces> __global__ void probe_store(char *sink, int bytes, int rounds, double *result) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < bytes / 4; i++) reinterpret_cast<int *>(shared)[i] = 1;
  fence_async();
  char *const to = sink + static_cast<long long>(blockIdx.x) * WINDOW;
  long long read = 0, all = 0;
  const auto put = [&](char *where) {
    if (reduces) bulk_reduce(where, shared, bytes);
    else bulk_store(where, shared, bytes);
    bulk_commit();
  };
  for (int i = 0; i < rounds; i++) {
    const uint32_t begin = now_cycles();
    put(to);
    bulk_wait_read<0>();
    if (i >= rounds / 2) read += now_cycles() - begin;
    bulk_wait<0>();
  }
  for (int i = 0; i < rounds; i++) {
    const uint32_t begin = now_cycles();
    put(to);
    bulk_wait<0>();
    if (i >= rounds / 2) all += now_cycles() - begin;
  }
  const Clock clock = Clock::start();
  for (int i = 0; i < rounds; i++) {
    put(to + i % 4 * bytes);
    bulk_wait_read<3>();
  }
  const uint32_t end = clock.since();
  const long long end_ns = now_ns();
  bulk_wait<0>();
  double *const mine = result + blockIdx.x * 4;
  mine[0] = double(read) / (rounds - rounds / 2);
  mine[1] = double(all) / (rounds - rounds / 2);
  mine[2] = double(end) / rounds;
  mine[3] = 1e3 * double(end) / double(end_ns - clock.ns);
}

inline void measure_probe_store() {
  double *result;
  CHECK(cudaMallocManaged(&result, 4 * 1024 * sizeof(double)));
  for (const bool reduces : {false, true}) {
    Table table(reduces ? "probe_reduce" : "probe_store", "ctas,bytes",
                "read_done,all_done,cycles_per_store_4_in_flight,mhz");
    for (int ctas : {1, 2, 8, 33, 66, machine.sms})
      for (int bytes : {128, 1024, 4096, 8192, 16384, 32768}) {
        const std::string key = text("%d,%d", ctas, bytes);
        if (!table.wants(key)) continue;
        running = table.name() + " " + key;
        std::vector<double> values[4];
        for (int run = 0; run < RUNS; run++) {
          launch(reduces ? probe_store<true> : probe_store<false>, {ctas, 32, 32768}, machine.sink, bytes,
                 64, result);
          finish();
          for (int i = 0; i < 4; i++) values[i].push_back(result[i]);
        }
        table.add(key, text("%.0f,%.0f,%.0f,%.0f", quantile(values[0], 0.5), quantile(values[1], 0.5),
                            quantile(values[2], 0.5), quantile(values[3], 0.5)));
      }
  }
  CHECK(cudaFree(result));
}

struct Threads {
  Source source;
  int lanes, stages, tiles, consumer_cycles;
  Span *spans;
  const char *all;
};

/** Two roles; the producer is `lanes` threads that copy 16 bytes each, as before Hopper. */
template <bool checked> __global__ void cp_async(Threads p) {
  __shared__ uint64_t bars[2][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1];
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], p.lanes), barrier_init(&empty[s], 1);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  const int bytes = p.source.bytes, thread = threadIdx.x;
  if (thread < p.lanes) {
    Place at(p.stages, 1);
    Cursor from(p.source);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&empty[s], at.phase);
#pragma unroll 8
      for (int i = thread * 16; i < bytes; i += p.lanes * 16) async_16(shared + s * bytes + i, from.at + i);
      async_arrive(&full[s]);
      from.next();
    }
  } else if (thread == p.lanes) {
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

inline void measure_cp_async() {
  Table table("cp_async", "source,ctas,lanes,stages,tile_bytes,tiles,consumer_cycles", TIMES);
  for (const char *source : SOURCES)
    for (int ctas : {1, machine.sms})
      for (int lanes : {32, 128})
        for (int stages : {1, 2, 4})
          for (int bytes : {4096, 8192, 16384})
            for (int consumer : {0, 300, 1000}) {
              const bool cold = is_cold(source);
              const std::string key =
                  text("%s,%d,%d,%d,%d,128,%d", source, ctas, lanes, stages, bytes, consumer);
              const Source from = source_of(cold, 128, bytes);
              if (stages * bytes > machine.shared || !fits(from, ctas) || !table.wants(key)) continue;
              const Threads p{from, lanes, stages, 128, consumer, machine.spans, machine.source};
              const Shape shape{ctas, lanes + 32, stages * bytes};
              const Times times = measure("cp_async " + key, ctas, cold, [&](bool checked) {
                launch(checked ? cp_async<true> : cp_async<false>, shape, p);
              });
              table.add(key, times.row());
            }
}
