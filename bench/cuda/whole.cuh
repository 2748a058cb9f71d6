// Whole programs that no model is fitted to: a chain, a diamond, attention, a persistent GEMM.
#pragma once
#include "tensor.cuh"

struct Chain {
  Source source;
  int stages, tiles, work[3];
  Span *spans;
  const char *all;
};

/**
 * Chain: load → first → second → third, a ring between each pair. Diamond: load → first and second,
 * which share the tiles, → third, which waits for both.
 */
template <bool diamond, bool checked> __global__ void chain(Chain p) {
  __shared__ uint64_t bars[6][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1];
  uint64_t *const first_made = bars[2], *const first_taken = bars[3];
  uint64_t *const second_made = bars[4], *const second_taken = bars[5];
  const int role = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) {
      barrier_init(&full[s], 1), barrier_init(&empty[s], diamond ? 2 : 1);
      for (int i = 2; i < 6; i++) barrier_init(&bars[i][s], 1);
    }
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  const int bytes = p.source.bytes;
  // From one ring to the next: what it waits for, and what it gives back.
  const auto pass = [&](uint64_t *from, uint64_t *back, uint64_t *made, uint64_t *taken, int cycles, bool tiles) {
    Place at(p.stages), to(p.stages, 1);
    for (int t = 0; t < p.tiles; t++, at.next(), to.next()) {
      const int s = at.stage;
      wait(&from[s], at.phase);
      wait(&taken[s], to.phase);
      spin(cycles);
      if (checked && tiles) check_tile(shared + s * bytes, p.source.tile(t), p.all, bytes);
      arrive(&made[s]);
      arrive(&back[s]);
    }
  };
  if (lane == 0 && role == 0) {
    Place at(p.stages, 1);
    Cursor from(p.source);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait(&empty[s], at.phase);
      arrive_expect(&full[s], bytes);
      bulk_copy(shared + s * bytes, from.at, bytes, &full[s]);
      from.next();
    }
  } else if (lane == 0 && role == 1) {
    pass(full, empty, first_made, first_taken, p.work[0], true);
  } else if (lane == 0 && role == 2) {
    if constexpr (diamond) pass(full, empty, second_made, second_taken, p.work[1], true);
    else pass(first_made, first_taken, second_made, second_taken, p.work[1], false);
  } else if (lane == 0) {
    Place at(p.stages);
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      if constexpr (diamond) wait(&first_made[s], at.phase);
      wait(&second_made[s], at.phase);
      spin(p.work[2]);
      if constexpr (diamond) arrive(&first_taken[s]);
      arrive(&second_taken[s]);
    }
    clock.stop(p.spans);
  }
  __syncthreads();
}

inline void measure_chains() {
  for (const bool diamond : {false, true}) {
    Table table(diamond ? "diamond" : "chain", "source,ctas,stages,tile_bytes,tiles,first_cycles,second_cycles,third_cycles", TIMES);
    const int works[][3] = {{0, 0, 0}, {300, 300, 300}, {100, 800, 100}, {800, 100, 300}, {200, 200, 1200}};
    for (const char *source : SOURCES)
      for (int ctas : {1, machine.sms})
        for (int stages : {1, 2, 4})
          for (int bytes : {4096, 16384, 32768})
            for (const auto &work : works) {
              const std::string key = text("%s,%d,%d,%d,128,%d,%d,%d", source, ctas, stages, bytes, work[0], work[1], work[2]);
              const Chain p{source_of(is_cold(source), 128, bytes), stages, 128, {work[0], work[1], work[2]}, machine.spans, machine.source};
              if (!fits(p.source, ctas) || !table.wants(key)) continue;
              table.add(key, measure(table.name() + " " + key, ctas, is_cold(source), [&](bool checked) {
                                const Shape shape{ctas, 128, stages * bytes};
                                if (diamond) launch(checked ? chain<true, true> : chain<true, false>, shape, p);
                                else launch(checked ? chain<false, true> : chain<false, false>, shape, p);
                              }).row());
            }
  }
}

struct Attention {
  /** A tile is 128 rows of K or V. */
  Source source;
  int stages, blocks, softmax;
  bool ping_pong;
  Span *spans;
};

/** Two warpgroups of 64 queries; with ping-pong one multiplies while the other does its softmax. */
template <int dim, bool checked> __global__ void __launch_bounds__(288, 1) attention(Attention p) {
  __shared__ uint64_t bars[4][MOST_STAGES];
  uint64_t *const k_full = bars[0], *const k_empty = bars[1], *const v_full = bars[2], *const v_empty = bars[3];
  constexpr int bytes = 128 * dim * 2, query = 2 * 64 * 128 * 2;
  const int group = threadIdx.x / 128;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) {
      barrier_init(&k_full[s], 1), barrier_init(&k_empty[s], 256);
      barrier_init(&v_full[s], 1), barrier_init(&v_empty[s], 256);
    }
    fence_init();
  }
  // Q, and P in its place: ones.
  for (int i = threadIdx.x; i < query / 4; i += blockDim.x) reinterpret_cast<uint32_t *>(shared)[i] = 0x3f803f80u;
  fence_async();
  __syncthreads();
  const Clock clock = Clock::start();
  char *const k_tiles = shared + query, *const v_tiles = k_tiles + p.stages * bytes;
  if (group == 2) {
    if (threadIdx.x == 256) {
      Place at(p.stages, 1);
      Cursor from(p.source);
      for (int t = 0; t < p.blocks; t++, at.next()) {
        const int s = at.stage;
        wait(&k_empty[s], at.phase);
        arrive_expect(&k_full[s], bytes);
        bulk_copy(k_tiles + s * bytes, from.at, bytes, &k_full[s]);
        from.next();
        wait(&v_empty[s], at.phase);
        arrive_expect(&v_full[s], bytes);
        bulk_copy(v_tiles + s * bytes, from.at, bytes, &v_full[s]);
        from.next();
      }
    }
  } else {
#if HAS_WGMMA
    float scores[64] = {}, out[dim / 2] = {};
    const uint64_t q = mma_tile(shared + group * 16384);
    Place at(p.stages);
    if (p.ping_pong && group == 1) named_arrive(1, 256);
    for (int t = 0; t < p.blocks; t++, at.next()) {
      const int s = at.stage;
      wait(&k_full[s], at.phase);
      if (p.ping_pong) named_sync(1 + group, 256);
      const uint64_t k = mma_tile(k_tiles + s * bytes);
      mma_fence();
#pragma unroll
      for (int i = 0; i < dim / 16; i++) mma<BF16, 128>(scores, q + 2 * (i % 4), k + 2 * (i % 4));
      mma_commit();
      mma_wait<0>();
      arrive(&k_empty[s]);
      if (p.ping_pong && (group == 0 || t + 1 < p.blocks)) named_arrive(2 - group, 256);
      spin(p.softmax);
      wait(&v_full[s], at.phase);
      const uint64_t v = mma_tile(v_tiles + s * bytes);
      mma_fence();
#pragma unroll
      for (int i = 0; i < 8; i++) mma<BF16, dim>(out, q + 2 * (i % 4), v + 2 * (i % 4));
      mma_commit();
      mma_wait<0>();
      arrive(&v_empty[s]);
    }
    if (threadIdx.x == 0) clock.stop(p.spans);
    // Sums that nobody reads would be left out, and with them the work.
    float want_scores = 0, want_out = 0;
    if (checked)
      for (int t = 0; t < p.blocks; t++) {
        want_scores += dim * tile_value(2 * t % p.source.tiles);
        want_out += 128 * tile_value((2 * t + 1) % p.source.tiles);
      }
    int wrong = 0;
#pragma unroll
    for (int i = 0; i < 64; i++) {
      asm volatile("" : "+f"(scores[i])::"memory");
      wrong += checked ? scores[i] != want_scores : scores[i] == 12345.5f;
    }
#pragma unroll
    for (int i = 0; i < dim / 2; i++) {
      asm volatile("" : "+f"(out[i])::"memory");
      wrong += checked ? out[i] != want_out : out[i] == 12345.5f;
    }
    if (wrong) atomicAdd(&device_errors, checked ? wrong : 0);
#endif
  }
  __syncthreads();
}

inline void measure_attention() {
  Table table("attention", "source,ctas,head_dim,stages,kv_blocks,softmax_cycles,ping_pong", TIMES);
  for (const char *source : SOURCES)
    for (int ctas : {1, machine.sms})
      for (int dim : {64, 128})
        for (int stages : {1, 2, 3})
          for (int softmax : {0, 200, 500, 1000})
            for (int ping_pong : {0, 1}) {
              const int bytes = 256 * dim, blocks = 128, all = 32768 + 2 * stages * bytes;
              const std::string key = text("%s,%d,%d,%d,%d,%d,%d", source, ctas, dim, stages, blocks, softmax, ping_pong);
              const Attention p{source_of(is_cold(source), 2 * blocks, bytes), stages, blocks, softmax, ping_pong == 1, machine.spans};
              if (all > machine.shared || !fits(p.source, ctas) || !table.wants(key)) continue;
              fill_for(true, p.source, ctas);
              table.add(key, measure("attention " + key, ctas, is_cold(source), [&](bool checked) {
                                if (dim == 64) launch(checked ? attention<64, true> : attention<64, false>, {ctas, 288, all}, p);
                                else launch(checked ? attention<128, true> : attention<128, false>, {ctas, 288, all}, p);
                                if (checked) fill_for(false, p.source, ctas);
                              }).row());
            }
}

struct Gemm {
  Source source;
  int stages, blocks, tiles, epilogue;
  char *sink;
  Span *spans;
};

/** Two warpgroups share B; each output tile is worked on, then stored by the bulk engine. */
template <int n, bool checked> __global__ void __launch_bounds__(288, 1) gemm(Gemm p) {
  __shared__ uint64_t bars[2][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1];
  const int group = threadIdx.x / 128;
  constexpr int bytes = 2 * A_BYTES + n * B_ROW_BYTES, out_bytes = 64 * n * 2;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], 1), barrier_init(&empty[s], 256);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  const int rounds = p.tiles * p.blocks;
  if (group == 2) {
    if (threadIdx.x == 256) {
      Place at(p.stages, 1);
      Cursor tile(p.source);
      for (int t = 0; t < rounds; t++, at.next(), tile.next()) {
        const int s = at.stage;
        char *const stage = shared + s * bytes;
        const char *const from = tile.at;
        wait(&empty[s], at.phase);
        arrive_expect(&full[s], bytes);
        for (int g = 0; g < 2; g++) bulk_copy(stage + g * A_BYTES, from + g * A_BYTES, A_BYTES, &full[s]);
        bulk_copy(stage + 2 * A_BYTES, from + 2 * A_BYTES, n * B_ROW_BYTES, &full[s]);
      }
    }
  } else {
#if HAS_WGMMA
    char *const out = shared + p.stages * bytes + group * out_bytes;
    char *const to = p.sink + (blockIdx.x * 2ll + group) * out_bytes;
    float d[n / 2] = {};
    Place at(p.stages);
    for (int tile = 0; tile < p.tiles; tile++) {
      int last = -1;
      for (int k = 0; k < p.blocks; k++, at.next()) {
        const int s = at.stage;
        wait(&full[s], at.phase);
        const uint64_t a = mma_tile(shared + s * bytes + group * A_BYTES);
        const uint64_t b = mma_tile(shared + s * bytes + 2 * A_BYTES);
        mma_fence();
#pragma unroll
        for (int i = 0; i < 4; i++) mma<BF16, n>(d, a + 2 * i, b + 2 * i);
        mma_commit();
        mma_wait<1>();
        if (last >= 0) arrive(&empty[last]);
        last = s;
      }
      mma_wait<0>();
      arrive(&empty[last]);
      spin(p.epilogue);
      if (threadIdx.x % 128 == 0) bulk_wait_read<0>();
      named_sync(1 + group, 128);
      fence_async();
      named_sync(1 + group, 128);
      if (threadIdx.x % 128 == 0) {
        bulk_store(to, out, out_bytes);
        bulk_commit();
      }
    }
    if (threadIdx.x % 128 == 0) bulk_wait_read<0>();
    if (threadIdx.x == 0) clock.stop(p.spans);
    float want = 0;
    if (checked)
      for (int t = 0; t < rounds; t++) want += 64.0f * tile_value(t % p.source.tiles) * tile_value(t % p.source.tiles);
    int wrong = 0;
#pragma unroll
    for (int i = 0; i < n / 2; i++) {
      asm volatile("" : "+f"(d[i])::"memory");
      wrong += checked ? d[i] != want : d[i] == 12345.5f;
    }
    if (wrong) atomicAdd(&device_errors, checked ? wrong : 0);
#endif
  }
  __syncthreads();
}

inline void measure_gemm() {
  Table table("gemm", "source,ctas,mma_n,stages,k_blocks,tiles,epilogue_cycles", TIMES);
  for (const char *source : SOURCES)
    for (int ctas : {1, machine.sms})
      for (int n : {128, 256})
        for (int stages : {2, 3, 4})
          for (int blocks : {8, 32})
            for (int epilogue : {0, 500, 2000}) {
              const int tiles = 256 / blocks, bytes = 2 * A_BYTES + n * B_ROW_BYTES, all = stages * bytes + 256 * n;
              const std::string key = text("%s,%d,%d,%d,%d,%d,%d", source, ctas, n, stages, blocks, tiles, epilogue);
              const Gemm p{source_of(is_cold(source), 256, bytes), stages, blocks, tiles, epilogue, machine.sink, machine.spans};
              if (all > machine.shared || !fits(p.source, ctas) || !table.wants(key)) continue;
              fill_for(true, p.source, ctas);
              table.add(key, measure("gemm " + key, ctas, is_cold(source), [&](bool checked) {
                                if (n == 128) launch(checked ? gemm<128, true> : gemm<128, false>, {ctas, 288, all}, p);
                                else launch(checked ? gemm<256, true> : gemm<256, false>, {ctas, 288, all}, p);
                                if (checked) fill_for(false, p.source, ctas);
                              }).row());
            }
}
