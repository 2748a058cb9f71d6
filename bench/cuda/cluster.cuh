// Between CTAs of a cluster: round trips, copies into each other's memory, one copy for several.
#pragma once
#include "rings.cuh"

/** A token to and fro between two CTAs, whose waits acquire what the cluster or the CTA has written. */
template <bool of_cluster> __global__ void pong(int rounds, Span *spans) {
  __shared__ uint64_t mine;
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0) {
    barrier_init(&mine, 1);
    fence_init();
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    const uint32_t other = at_rank(&mine, rank ^ 1);
    const Clock clock = Clock::start();
    for (int i = 0; i < rounds; i++) {
      if (rank == 0) arrive_remote(other);
      if (of_cluster) wait_cluster(&mine, i & 1);
      else wait(&mine, i & 1);
      if (rank == 1) arrive_remote(other);
    }
    clock.stop(spans);
  }
  __syncthreads();
  cluster_sync();
}

/** Copies or reductions from this CTA's memory to the next CTA's, which answers when all of a round landed. */
template <bool reduces> __global__ void remote_copies(int bytes, int depth, int rounds, Span *spans) {
  __shared__ uint64_t landed, answer;
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0) {
    barrier_init(&landed, 1), barrier_init(&answer, 1);
    fence_init();
  }
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) reinterpret_cast<uint32_t *>(shared)[i] = i;
  fence_async();
  cluster_sync();
  if (threadIdx.x == 0) {
    const Clock clock = Clock::start();
    for (int i = 0; i < rounds; i++) {
      if (rank == 0) {
        for (int d = 0; d < depth; d++)
          if (reduces) bulk_reduce_to_rank(at_rank(shared + 65536, 1), shared, bytes, at_rank(&landed, 1));
          else bulk_to_rank(at_rank(shared + 65536, 1), shared, bytes, at_rank(&landed, 1));
        wait_cluster(&answer, i & 1);
      } else {
        arrive_expect(&landed, depth * bytes);
        wait_cluster(&landed, i & 1);
        arrive_remote(at_rank(&answer, 0));
      }
    }
    clock.stop(spans);
    if (!reduces && rank == 1 && reinterpret_cast<uint32_t *>(shared + 65536)[bytes / 4 - 1] != bytes / 4 - 1)
      atomicAdd(&device_errors, 1);
  }
  __syncthreads();
  cluster_sync();
}

struct Cast {
  Source source;
  int depth, rounds, receivers, senders;
  Span *spans;
};

/** The first `senders` CTAs copy to `receivers` CTAs each, round by round with `depth` in flight. */
__global__ void casts(Cast p) {
  __shared__ uint64_t full[MOST_STAGES];
  const uint32_t rank = cluster_rank();
  // Nobody waits for the others to be ready. A sender may be a round ahead, and bytes of that
  // round must not end the phase of this one: twice as many barriers as there are stages.
  const int barriers = 2 * p.depth;
  if (threadIdx.x == 0) {
    for (int s = 0; s < barriers; s++) barrier_init(&full[s], 1);
    fence_init();
  }
  cluster_sync();
  if (threadIdx.x == 0 && rank < p.receivers) {
    const Clock clock = Clock::start();
    const int bytes = p.source.bytes;
    Place place(p.depth), at(barriers), done(barriers);
    Cursor from(p.source);
    for (int t = 0; t < p.rounds + p.depth; t++, place.next(), at.next(), from.next()) {
      if (t >= p.depth) {
        wait_cluster(&full[done.stage], done.phase);
        done.next();
      }
      if (t >= p.rounds) continue;
      arrive_expect(&full[at.stage], p.senders * bytes);
      if (rank < p.senders)
        bulk_multicast(shared + (place.stage * p.senders + rank) * bytes, from.at, bytes, &full[at.stage],
                       static_cast<uint16_t>((1 << p.receivers) - 1));
    }
    clock.stop(p.spans);
  }
  __syncthreads();
  cluster_sync();
}

inline void measure_cluster() {
  Table table("dsmem", "program,bytes,in_flight", "cycles_per_round,mhz");
  const auto row = [&](const std::string &key, int rounds, auto go) {
    if (!table.wants(key)) return;
    const Times times = measure("dsmem " + key, 2, false, [&](bool) { go(); });
    table.add(key, text("%.1f,%.0f", quantile(times.middle, 0.5) / rounds, quantile(times.mhz, 0.5)));
  };
  row("remote_ping_pong_round_trip,0,0", 1000, [] { launch(pong<false>, {2, 32, 0, 2}, 1000, machine.spans); });
  row("remote_ping_pong_that_acquires,0,0", 1000, [] { launch(pong<true>, {2, 32, 0, 2}, 1000, machine.spans); });
  for (int bytes : {16, 128, 1024, 4096, 16384, 32768, 65536})
    for (int depth : {1, 2, 4, 8}) {
      const Shape shape{2, 128, 131072 + 1024, 2};
      row(text("copy_to_next_and_answer,%d,%d", bytes, depth), 256,
          [&] { launch(remote_copies<false>, shape, bytes, depth, 256, machine.spans); });
      row(text("reduce_into_next_and_answer,%d,%d", bytes, depth), 256,
          [&] { launch(remote_copies<true>, shape, bytes, depth, 256, machine.spans); });
    }

  Table casting("casts", "source,cluster,clusters,senders,receivers,bytes,in_flight",
                "cycles_per_round,bytes_per_cycle_and_receiver,mhz");
  const int all = machine.sms;
  for (const char *source : SOURCES)
    for (int cluster : {2, 4, 8})
      for (int clusters : {1, 4, all / cluster * 9 / 10})
        for (int receivers : {1, 2, 4, 8})
          for (int bytes : {4096, 16384})
            for (int depth : {1, 4})
              for (int senders : {1, receivers}) {
                if (receivers > cluster || (senders == 1 && senders != receivers && depth == 1 && clusters > 1)) continue;
                if (senders * bytes * depth > machine.shared || senders * bytes >= 1 << 18) continue;
                const std::string key = text("%s,%d,%d,%d,%d,%d,%d", source, cluster, clusters, senders, receivers, bytes, depth);
                const bool cold = is_cold(source);
                const Cast p{source_of(cold, 128, bytes), depth, 128, receivers, senders, machine.spans};
                if (!fits(p.source, cluster * clusters) || !casting.wants(key)) continue;
                const Times times = measure("casts " + key, cluster * clusters, cold, [&](bool) {
                  launch(casts, {cluster * clusters, 32, senders * bytes * depth, cluster}, p);
                });
                const double cycles = quantile(times.mean, 0.5) / 128;
                casting.add(key, text("%.1f,%.2f,%.0f", cycles, senders * bytes / cycles, quantile(times.mhz, 0.5)));
              }
}
