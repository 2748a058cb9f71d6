// Single costs: a copy until its waiter runs on, arrives, tries, round trips.
#pragma once
#include "rings.cuh"

/** Copies that are waited for one by one, of which the first are not counted. */
constexpr int COPIES = 64, UNCOUNTED = 8, MOST_COPY = 65536;
/** Copies that are issued back to back; handovers of a token, of which the first are not counted. */
constexpr int ISSUES = 16, HANDOVERS = 256, FIRST_HANDOVERS = 32;

enum Cost { MEAN, LEAST, MOST, FAILED_TRIES, TESTED, READY, ARRIVE, SPUN, FAILING, PING_PONG, ISSUE, COSTS };

/** All costs of a size; in sums, of so many as `measure_micro` divides by. */
__global__ void micro(const char *source, uint32_t *costs, int bytes) {
  __shared__ uint64_t bar[4];
  uint64_t *const copied = bar, *const issued = bar + 1, *const there = bar + 2, *const back = bar + 3;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 4; i++) barrier_init(&bar[i], i == 1 ? ISSUES : 1);
    fence_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    uint32_t phase = 0, sum = 0, least = 1u << 30, most = 0, tries = 0;
    for (int k = 0; k < COPIES; k++) {
      arrive_expect(copied, bytes);
      const uint32_t start = now_cycles();
      bulk_copy(shared, source + static_cast<long long>(k) * MOST_COPY, bytes, copied);
      const int failed = wait(copied, phase);
      const uint32_t took = now_cycles() - start;
      if (k >= UNCOUNTED) sum += took, tries += failed, least = min(least, took), most = max(most, took);
      phase ^= 1;
    }
    costs[MEAN] = sum / (COPIES - UNCOUNTED), costs[LEAST] = least, costs[MOST] = most, costs[FAILED_TRIES] = tries;
    sum = 0;
    for (int k = 0; k < COPIES; k++) {
      arrive_expect(copied, bytes);
      const uint32_t start = now_cycles();
      bulk_copy(shared, source + static_cast<long long>(k + COPIES) * MOST_COPY, bytes, copied);
      while (!test_wait(copied, phase)) {
      }
      const uint32_t took = now_cycles() - start;
      if (k >= UNCOUNTED) sum += took;
      phase ^= 1;
    }
    costs[TESTED] = sum / (COPIES - UNCOUNTED);
    uint32_t start = now_cycles();
    for (int k = 0; k < 64; k++) try_wait(copied, phase ^ 1);
    costs[READY] = now_cycles() - start;
    start = now_cycles();
    for (int k = 0; k < 64; k++) arrive(back);
    costs[ARRIVE] = now_cycles() - start;
    start = now_cycles();
    for (int k = 0; k < 64; k++) spin(1);
    costs[SPUN] = now_cycles() - start;
    start = now_cycles();
    for (int k = 0; k < 8; k++) try_wait(copied, phase);
    costs[FAILING] = now_cycles() - start;
    start = now_cycles();
    for (int k = 0; k < ISSUES; k++) {
      arrive_expect(issued, bytes);
      bulk_copy(shared, source + static_cast<long long>(k) * MOST_COPY, bytes, issued);
    }
    costs[ISSUE] = (now_cycles() - start) / ISSUES;
    while (!test_wait(issued, 0)) {
    }
  }
  __syncthreads();
  // 64 arrivals have left this barrier with phase 0 again.
  if (warp == 0 && lane == 0) {
    uint32_t phase = 0, start = 0;
    for (int k = 0; k < HANDOVERS; k++) {
      if (k == FIRST_HANDOVERS) start = now_cycles();
      arrive(there);
      wait(back, phase);
      phase ^= 1;
    }
    costs[PING_PONG] = (now_cycles() - start) / (HANDOVERS - FIRST_HANDOVERS);
  }
  if (warp == 1 && lane == 0) {
    uint32_t phase = 0;
    for (int k = 0; k < HANDOVERS; k++) {
      wait(there, phase);
      arrive(back);
      phase ^= 1;
    }
  }
}

inline void measure_micro() {
  Table table("micro", "source,bytes",
              "copy_try_wait_mean,copy_try_wait_min,copy_try_wait_max,failed_try_waits,copy_test_wait_mean,"
              "try_wait_ready,arrive,spin_loop,try_wait_timeout,ping_pong_round_trip,bulk_issue");
  uint32_t *costs;
  CHECK(cudaMallocManaged(&costs, COSTS * sizeof(uint32_t)));
  for (const char *source : SOURCES)
    for (int bytes : {16, 64, 256, 1024, 2048, 4096, 8192, 16384, 24576, 32768, 49152, 65536}) {
      const std::string key = text("%s,%d", source, bytes);
      if (!table.wants(key)) continue;
      running = "micro " + key;
      std::vector<double> all[COSTS];
      for (int run = 0; run <= RUNS; run++) {
        if (is_cold(source)) flush_cache();
        // Other data in each run, so that nothing of it is in the cache.
        const long long offset = is_cold(source) ? run * 2ll * COPIES * MOST_COPY : 0;
        launch(micro, {1, 64, MOST_COPY}, static_cast<const char *>(machine.source) + offset, costs, bytes);
        finish();
        for (int i = 0; run > 0 && i < COSTS; i++) all[i].push_back(costs[i]);
      }
      const auto cost = [&](Cost which) { return quantile(all[which], 0.5); };
      table.add(key, text("%.0f,%.0f,%.0f,%.2f,%.0f,%.1f,%.1f,%.1f,%.1f,%.0f,%.0f", cost(MEAN), cost(LEAST), cost(MOST),
                          cost(FAILED_TRIES) / (COPIES - UNCOUNTED), cost(TESTED), cost(READY) / 64, cost(ARRIVE) / 64,
                          cost(SPUN) / 64, cost(FAILING) / 8, cost(PING_PONG), cost(ISSUE)));
    }
  CHECK(cudaFree(costs));
}
