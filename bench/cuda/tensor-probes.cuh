// What the tensor core costs by itself, by shape, and what it does to a producer beside it.
#pragma once
#include "tensor.cuh"

enum Beside { STAND, SPIN, MULTIPLY, WAIT };

/** A producer's round of copies of 1 KiB, while warpgroups do something else. */
template <int n, int groups>
__global__ void __launch_bounds__(groups * 128 + 32, 1) probe_producer(Source source, int beside, int copies, int blocks, Span *spans) {
  __shared__ uint64_t full[8], never, stop;
  __shared__ volatile int done;
  if (threadIdx.x == 0) {
    for (int s = 0; s < 8; s++) barrier_init(&full[s], 1);
    barrier_init(&never, 1), barrier_init(&stop, 1);
    done = 0;
    fence_init();
  }
  __syncthreads();
  if (threadIdx.x >= groups * 128) {
    if (threadIdx.x == groups * 128) {
      const Clock clock = Clock::start();
      Place at(8, 1);
      Cursor tile(source);
      for (int t = 0; t < blocks; t++, at.next(), tile.next()) {
        const int s = at.stage;
        wait(&full[s], at.phase);
        arrive_expect(&full[s], copies * 1024);
        const char *const from = tile.at;
        for (int c = 0; c < copies; c++) bulk_copy(shared + s * 4096 + c * 1024, from + c * 1024, 1024, &full[s]);
      }
      clock.stop(spans);
      for (int t = blocks - 8; t < blocks; t++) wait(&full[t % 8], (t / 8) & 1);
      done = 1;
      arrive(&stop);
    }
  } else if (beside == SPIN) {
    while (!done) spin(200);
  } else if (beside == WAIT) {
    wait(&stop, 0);
  } else if (beside == MULTIPLY) {
#if HAS_WGMMA
    float d[n / 2] = {};
    const uint64_t a = mma_tile(shared + 32768), b = mma_tile(shared + 32768);
    // All warps of the group stop in the same round: its instructions need all four.
    while (!any_of(1 + threadIdx.x / 128, 128, done))
      for (int round = 0; round < 16; round++) {
        mma_fence();
#pragma unroll
        for (int k = 0; k < 4; k++) mma<BF16, n>(d, a + 2 * k, b + 2 * k);
        mma_commit();
        mma_wait<0>();
      }
#pragma unroll
    for (int i = 0; i < n / 2; i++) asm volatile("" : "+f"(d[i])::"memory");
    int same = 0;
#pragma unroll
    for (int i = 0; i < n / 2; i++) same += d[i] == 12345.5f;
    if (same) atomicAdd(&device_errors, 0);
#endif
  }
  __syncthreads();
}

inline void measure_probe_producer() {
  Table table("probe_producer", "mma_n,warpgroups,consumers_do,copies", "producer_cycles_per_block,mhz");
  constexpr int BLOCKS = 2048;
  CHECK(cudaMemsetAsync(machine.source, 0, WINDOW));
  for (int groups : {1, 2})
    for (int copies : {1, 2, 3})
      for (int beside : {STAND, SPIN, WAIT, MULTIPLY})
        for (int n : {64, 128, 256}) {
          if (beside != MULTIPLY && n > 64) continue;
          const std::string key = text("%d,%d,%d,%d", n, groups, beside, copies);
          if (!table.wants(key)) continue;
          const Source source = source_of(false, 0, 4096);
          const Times times = measure("probe_producer " + key, 1, false, [&](bool) {
            with_shape(n, groups, [&](auto size, auto count) {
              launch(probe_producer<size(), count()>, {1, groups * 128 + 32, 98304}, source, beside, copies, BLOCKS, machine.spans);
            });
          });
          table.add(key, text("%.1f,%.0f", quantile(times.middle, 0.5) / BLOCKS, quantile(times.mhz, 0.5)));
        }
}

/** `rounds` groups of `each` instructions of one shape; each group is waited for, or one is left open. */
template <MmaKind kind, int n, bool registers, class Element>
__global__ void __launch_bounds__(n > 128 ? 256 : 384, 1) shape_of(int rounds, int open, Span *spans, Element none) {
#if HAS_WGMMA
  for (int i = threadIdx.x; i < 16384; i += blockDim.x) reinterpret_cast<uint32_t *>(shared)[i] = 0;
  fence_async();
  __syncthreads();
  Element d[n / 2] = {};
  const uint32_t from[4] = {0, 0, 0, 0};
  const uint64_t a = mma_tile(shared), b = mma_tile(shared + 8192);
  const Clock clock = Clock::start();
  for (int t = 0; t < rounds; t++) {
    mma_fence();
#pragma unroll
    for (int k = 0; k < 4; k++) {
      if constexpr (registers) mma_from_registers<kind, n>(d, from, b + 2 * k);
      else mma<kind, n>(d, a + 2 * k, b + 2 * k);
    }
    mma_commit();
    if (open) mma_wait<1>();
    else mma_wait<0>();
  }
  mma_wait<0>();
  if (threadIdx.x == 0) clock.stop(spans);
#pragma unroll
  for (int i = 0; i < n / 2; i++) {
    if constexpr (kind == S8) asm volatile("" : "+r"(d[i])::"memory");
    else asm volatile("" : "+f"(d[i])::"memory");
  }
  int same = 0;
#pragma unroll
  for (int i = 0; i < n / 2; i++) same += d[i] == none;
  if (same) atomicAdd(&device_errors, 1);
#endif
}

template <MmaKind kind, int n, bool registers, class Element> void measure_shape(Table &table) {
  constexpr const char *names[] = {"bf16", "e4m3", "s8", "tf32"};
  for (int groups : {1, 2, 3}) {
    const std::string key = text("%s,%d,%s,%d", names[kind], n, registers ? "registers" : "shared", groups);
    // 3 × 128 threads leave 168 registers each.
    if ((groups == 3 && n > 128) || !table.wants(key)) continue;
    double cycles[2], mhz = 0;
    for (int open : {0, 1}) {
      const Times times = measure("wgmma " + key, 1, false, [&](bool) {
        launch(shape_of<kind, n, registers, Element>, {1, groups * 128, 65536}, 256, open, machine.spans, Element(1));
      });
      cycles[open] = quantile(times.middle, 0.5) / 256, mhz = quantile(times.mhz, 0.5);
    }
    table.add(key, text("%.1f,%.1f,%.0f", cycles[0], cycles[1], mhz));
  }
}

template <MmaKind kind, class Element> void measure_shapes(Table &table) {
  measure_shape<kind, 8, false, Element>(table);
  measure_shape<kind, 16, false, Element>(table);
  measure_shape<kind, 32, false, Element>(table);
  measure_shape<kind, 64, false, Element>(table);
  measure_shape<kind, 96, false, Element>(table);
  measure_shape<kind, 128, false, Element>(table);
  measure_shape<kind, 160, false, Element>(table);
  measure_shape<kind, 192, false, Element>(table);
  measure_shape<kind, 224, false, Element>(table);
  measure_shape<kind, 256, false, Element>(table);
  if constexpr (kind == BF16 || kind == E4M3) {
    measure_shape<kind, 64, true, Element>(table);
    measure_shape<kind, 128, true, Element>(table);
    measure_shape<kind, 256, true, Element>(table);
  }
}

/** Four instructions of m64 and 32 bytes of K: cycles of a group that is waited for, and hand over hand. */
inline void measure_wgmma() {
  Table table("wgmma", "kind,n,a_from,warpgroups", "cycles_waited,cycles_open,mhz");
  measure_shapes<BF16, float>(table);
  measure_shapes<E4M3, float>(table);
  measure_shapes<S8, int>(table);
  measure_shapes<TF32, float>(table);
}
