// Pairs about barriers in shared memory, and copies that signal them.
#pragma once
#include "pair.cuh"

constexpr int TILE = 1024, TILE_BYTES = TILE * sizeof(int);

/** Where a consumer of a ring of two stages is wrong. */
enum RingMistake {
  EARLY_RELEASE,
  EMPTY_UNWAITED,
  CONSTANT_PARITY,
  EVERY_LANE_ARRIVES,
  COUNT_OF_TWO_WARPS,
  EXPECT_TOO_SMALL,
  PHASE_RESTARTS,
  NO_MISTAKE,
};

/** One thread copies tiles into a ring of two stages, and one warp reads them: two times three tiles. */
template <RingMistake mistake> DEVICE void ring(const int *in, int *out, int delay) {
  __shared__ alignas(128) int tile[2][TILE];
  __shared__ uint64_t full[2], empty[2];
  constexpr int TILES = 6;
  if (threadIdx.x == 0)
    for (int s = 0; s < 2; s++) {
      barrier_init(&full[s], 1);
      barrier_init(&empty[s], mistake == EVERY_LANE_ARRIVES ? 1 : mistake == COUNT_OF_TWO_WARPS ? 64 : 32);
    }
  fence_init();
  fill(tile[0], 2 * TILE);
  if (threadIdx.x == 0)
    for (int t = 0; t < TILES; t++) {
      const int s = t & 1;
      if (mistake != EMPTY_UNWAITED && t >= 2) wait_for(&empty[s], ((t >> 1) - 1) & 1);
      if (mistake == CONSTANT_PARITY && t == 2) late(delay);
      arrive_expect(&full[s], mistake == EXPECT_TOO_SMALL ? TILE_BYTES / 2 : TILE_BYTES);
      bulk_copy(tile[s], in + TILE * t, TILE_BYTES, &full[s]);
    }
  if (warp() != 1) return;
  int sum = 0;
  for (int t = 0; t < TILES; t++) {
    // Three tiles are an odd number for two stages.
    const int round = mistake == PHASE_RESTARTS ? t % 3 : t, s = round & 1;
    wait_for(&full[s], mistake == CONSTANT_PARITY ? 0 : (round >> 1) & 1);
    if (mistake == EARLY_RELEASE) arrive(&empty[s]);
    if (t == 1 && mistake != CONSTANT_PARITY) late(delay);
    for (int i = lane(); i < TILE; i += 32) sum = sum * 3 + tile[s][i];
    if (mistake != EARLY_RELEASE) arrive(&empty[s]);
  }
  out[lane()] = sum;
}

#define RING(name, mistake)                                                          \
  template <bool RIGHT> __global__ void name(const int *in, int *out, int delay) { \
    ring<RIGHT ? NO_MISTAKE : mistake>(in, out, delay);                              \
  }
RING(early_release, EARLY_RELEASE)
RING(empty_unwaited, EMPTY_UNWAITED)
RING(constant_parity, CONSTANT_PARITY)
RING(every_lane_arrives, EVERY_LANE_ARRIVES)
RING(count_of_two_warps, COUNT_OF_TWO_WARPS)
RING(expect_too_small, EXPECT_TOO_SMALL)
RING(phase_restarts, PHASE_RESTARTS)

/** Where the only copy of a kernel is waited for wrongly. */
enum CopyMistake { WAIT_MISSING, EXPECT_LEFT_OUT, ONE_WARP_WAITS, TESTED_ONCE, COPY_RIGHT };

/** A tile is copied and read by all. */
template <CopyMistake mistake> DEVICE void one_copy(const int *in, int *out, int delay) {
  __shared__ alignas(128) int tile[TILE];
  __shared__ uint64_t bar;
  make(&bar, 1);
  fill(tile, TILE);
  if (warp() == 0) late(delay);
  if (threadIdx.x == 0) {
    if (mistake == EXPECT_LEFT_OUT) arrive(&bar);
    else arrive_expect(&bar, TILE_BYTES);
    bulk_copy(tile, in, TILE_BYTES, &bar);
  }
  if (mistake == TESTED_ONCE) test_wait(&bar, 0);
  else if (mistake != WAIT_MISSING && (mistake != ONE_WARP_WAITS || warp() == 0)) wait_for(&bar, 0);
  const int word = tile[TILE - 1 - threadIdx.x];
  // No copy is open when the block ends.
  if (mistake == EXPECT_LEFT_OUT) late(100000);
  else wait_for(&bar, 0);
  out[threadIdx.x] = word;
}

#define COPY(name, mistake)                                                          \
  template <bool RIGHT> __global__ void name(const int *in, int *out, int delay) { \
    one_copy<RIGHT ? COPY_RIGHT : mistake>(in, out, delay);                          \
  }
COPY(wait_missing, WAIT_MISSING)
COPY(expect_left_out, EXPECT_LEFT_OUT)
COPY(one_warp_waits, ONE_WARP_WAITS)
COPY(tested_once, TESTED_ONCE)

/** Another warp arrives at a barrier that may not be initialized yet. */
template <bool RIGHT> __global__ void init_unsynced(const int *in, int *out, int delay) {
  __shared__ uint64_t bar;
  __shared__ int word;
  if (warp() == 0) late(delay);
  if (threadIdx.x == 0) barrier_init(&bar, 1);
  if (RIGHT) __syncthreads();
  if (threadIdx.x == 32) {
    word = in[7];
    arrive(&bar);
  }
  wait_for(&bar, 0);
  out[threadIdx.x] = word;
}

/** A barrier is made again for each tile while a warp still waits for the tile before. */
template <bool RIGHT> __global__ void made_again(const int *in, int *out, int delay) {
  __shared__ alignas(128) int tile[2][TILE];
  __shared__ uint64_t bar;
  int sum = 0;
  for (int t = 0; t < 4; t++) {
    make(&bar, 1);
    if (threadIdx.x == 0) {
      arrive_expect(&bar, TILE_BYTES);
      bulk_copy(tile[t & 1], in + TILE * t, TILE_BYTES, &bar);
    }
    if (warp() == 1 && t == 1) late(delay);
    wait_for(&bar, 0);
    sum = sum * 3 + tile[t & 1][threadIdx.x];
    if (RIGHT) {
      __syncthreads();
      if (threadIdx.x == 0) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at(&bar)) : "memory");
    }
  }
  out[threadIdx.x] = sum;
}

/** A tile is replaced while a copy still reads it. */
template <bool RIGHT> __global__ void store_source(const int *, int *out, int) {
  extern __shared__ __align__(128) int large[];
  constexpr int LARGE = 8192;
  for (int t = 0; t < 4; t++) {
    for (int i = LARGE - 1 - static_cast<int>(threadIdx.x); i >= 0; i -= blockDim.x) large[i] = t * LARGE + i;
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      bulk_store(out + t * LARGE, large, LARGE * sizeof(int));
      bulk_commit();
      if (RIGHT) bulk_wait_read<0>();
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) bulk_wait<0>();
}

/** Results are staged in the tile that the next copy fills. */
template <bool RIGHT> __global__ void staged_in_operand(const int *in, int *out, int delay) {
  __shared__ alignas(128) int tile[2][TILE], own[TILE];
  __shared__ uint64_t bar;
  make(&bar, 1);
  for (int t = 0; t < 4; t++) {
    if (threadIdx.x == 0) {
      arrive_expect(&bar, TILE_BYTES);
      bulk_copy(tile[t & 1], in + TILE * t, TILE_BYTES, &bar);
    }
    int *const staging = RIGHT ? own : tile[t & 1];
    if (!RIGHT) staging[threadIdx.x] = 5 * t + threadIdx.x;
    wait_for(&bar, t & 1);
    if (RIGHT) staging[threadIdx.x] = 5 * t + threadIdx.x;
    fence_async();
    __syncthreads();
    if (warp() == 1) late(delay);
    out[t * 128 + threadIdx.x] = staging[127 - threadIdx.x] + tile[t & 1][128 + threadIdx.x];
    __syncthreads();
  }
}

/** Where copies of 16 bytes by each thread are waited for wrongly. */
enum AsyncMistake { ASYNC_UNWAITED, OTHERS_UNWAITED, ARRIVALS_OF_ONE_WARP, ASYNC_RIGHT };

/** Two warps copy 16 bytes by each thread and read what the other warp copied. */
template <AsyncMistake mistake, bool by_barrier> DEVICE void async_copies(const int *in, int *out, int delay) {
  __shared__ alignas(16) int tile[4 * WORDS];
  __shared__ uint64_t bar;
  make(&bar, mistake == ARRIVALS_OF_ONE_WARP ? 32 : 64);
  fill(tile, 4 * WORDS);
  if (warp() == 1) late(delay);
  async_16(tile + 4 * threadIdx.x, in + 4 * threadIdx.x);
  if (by_barrier) {
    async_arrive(&bar);
    wait_for(&bar, 0);
  } else {
    asm volatile("cp.async.commit_group;" ::: "memory");
    if (mistake != ASYNC_UNWAITED) asm volatile("cp.async.wait_group 0;" ::: "memory");
    if (mistake != OTHERS_UNWAITED) __syncthreads();
  }
  const int word = tile[4 * (WORDS - 1 - threadIdx.x)];
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[threadIdx.x] = word;
}

#define ASYNC(name, mistake, by_barrier)                                             \
  template <bool RIGHT> __global__ void name(const int *in, int *out, int delay) { \
    async_copies<RIGHT ? ASYNC_RIGHT : mistake, by_barrier>(in, out, delay);         \
  }
ASYNC(async_unwaited, ASYNC_UNWAITED, false)
ASYNC(others_unwaited, OTHERS_UNWAITED, false)
ASYNC(arrivals_of_one_warp, ARRIVALS_OF_ONE_WARP, true)

/** Begins the copy of a large tile by all threads: 16 copies of 16 bytes by each. */
DEVICE void begin_async(int *tile, const int *in) {
  for (int i = 0; i < 16; i++) async_16(tile + 4 * (i * WORDS + threadIdx.x), in + 4 * (i * WORDS + threadIdx.x));
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/** A wait that lets one group be open, after the last group too. */
template <bool RIGHT> __global__ void last_group_open(const int *in, int *out, int) {
  extern __shared__ __align__(128) int large[];
  constexpr int LARGE = 4096, TILES = 4;
  fill(large, 2 * LARGE);
  int sum = 0;
  begin_async(large, in);
  for (int t = 0; t < TILES; t++) {
    if (t + 1 < TILES) begin_async(large + (t + 1) % 2 * LARGE, in + (t + 1) * LARGE);
    if (RIGHT && t + 1 == TILES) asm volatile("cp.async.wait_group 0;" ::: "memory");
    else asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    sum = sum * 3 + large[t % 2 * LARGE + LARGE - 1 - threadIdx.x];
    __syncthreads();
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[threadIdx.x] = sum;
}

/** The copy of the tile after the next one begins before the tile in its place has been read. */
template <bool RIGHT> __global__ void refill_first(const int *in, int *out, int delay) {
  extern __shared__ __align__(128) int large[];
  constexpr int LARGE = 4096, TILES = 4;
  int sum = 0;
  for (int t = 0; t < 2; t++) begin_async(large + t * LARGE, in + t * LARGE);
  for (int t = 0; t < TILES; t++) {
    int *const here = large + t % 2 * LARGE;
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    if (!RIGHT) begin_async(here, in + (t + 2) * LARGE);
    if (t == 1) late(delay);
    sum = sum * 3 + here[LARGE - 1 - threadIdx.x];
    if (RIGHT) {
      __syncthreads();
      begin_async(here, in + (t + 2) * LARGE);
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[threadIdx.x] = sum;
}
