// Kernels about the lanes of a warp: those whose names end in _bug are wrong.
//
// nvcc -arch=sm_90a -std=c++17 -lineinfo -ptx lanes.cu -o lanes.sm90a.ptx
#include <cooperative_groups.h>
#include <cstdint>

using u32 = uint32_t;
using u64 = uint64_t;
constexpr u32 FULL = ~0u;
constexpr int WORDS = 128;
#define ONCE _Pragma("unroll 1")

__device__ u32 addressOf(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void init(u64 *b, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(addressOf(b)), "r"(count) : "memory");
}
__device__ void arrive(u64 *b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(addressOf(b)) : "memory");
}
__device__ void expect(u64 *b, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(addressOf(b)), "r"(bytes)
               : "memory");
}
__device__ void wait(u64 *b, u32 parity) {
  asm volatile(
      "{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(
          addressOf(b)),
      "r"(parity)
      : "memory");
}
__device__ void copy(void *to, const void *from, u32 bytes, u64 *b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   addressOf(to)),
               "l"(from), "r"(bytes), "r"(addressOf(b))
               : "memory");
}
__device__ void store(void *to, const void *from, u32 bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(addressOf(from)),
               "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ void waitStores() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__device__ void fenceAsync() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ bool elected() {
  u32 is;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.b32 %0, 1, 0, p;\n}" : "=r"(is));
  return is != 0;
}

// Two warps: warp 0 copies tiles in, warp 1 adds them up. `KIND` is how warp 1 waits.
enum Kind { ALL_WAIT, ONE_WAITS, ONE_WAITS_JOINED, SHUFFLED, VOTED, MATCHED, REDUCED };

template <Kind K> __device__ void consume(u64 *full, u64 *empty, u32 (*tile)[WORDS], u32 *out, int tiles) {
  const int lane = threadIdx.x % 32;
  u32 sum = 0;
  ONCE for (int t = 0; t < tiles; t++) {
    const u32 parity = t / 2 & 1;
    if (K == ALL_WAIT) wait(&full[t % 2], parity);
    else if (lane == 0) wait(&full[t % 2], parity);
    if (K == ONE_WAITS_JOINED) __syncwarp();
    if (K == SHUFFLED) sum += __shfl_sync(FULL, sum, 0) & 1;
    if (K == VOTED) sum += __any_sync(FULL, sum == 5);
    if (K == MATCHED) sum += __match_any_sync(FULL, sum) & 1;
    if (K == REDUCED) sum += __reduce_add_sync(FULL, sum) & 1;
    ONCE for (int i = lane; i < WORDS; i += 32) sum += tile[t % 2][i];
    __syncwarp();
    if (lane == 0) arrive(&empty[t % 2]);
  }
  out[lane] = sum;
}

template <Kind K> __device__ void ring(const u32 *in, u32 *out, int tiles) {
  __shared__ alignas(128) u32 tile[2][WORDS];
  __shared__ alignas(8) u64 full[2], empty[2];
  if (threadIdx.x == 0) ONCE for (int s = 0; s < 2; s++) init(&full[s], 1), init(&empty[s], 1);
  __syncthreads();
  if (threadIdx.x >= 32) return consume<K>(full, empty, tile, out, tiles);
  if (!elected()) return;
  ONCE for (int t = 0; t < tiles; t++) {
    wait(&empty[t % 2], (t / 2 & 1) ^ 1);
    expect(&full[t % 2], sizeof tile[0]);
    copy(tile[t % 2], in + t * WORDS, sizeof tile[0], &full[t % 2]);
  }
}

extern "C" __global__ void all_wait(const u32 *in, u32 *out, int tiles) { ring<ALL_WAIT>(in, out, tiles); }
extern "C" __global__ void one_waits_bug(const u32 *in, u32 *out, int tiles) { ring<ONE_WAITS>(in, out, tiles); }
extern "C" __global__ void one_waits(const u32 *in, u32 *out, int tiles) { ring<ONE_WAITS_JOINED>(in, out, tiles); }
extern "C" __global__ void shuffled(const u32 *in, u32 *out, int tiles) { ring<SHUFFLED>(in, out, tiles); }
extern "C" __global__ void voted(const u32 *in, u32 *out, int tiles) { ring<VOTED>(in, out, tiles); }
extern "C" __global__ void matched(const u32 *in, u32 *out, int tiles) { ring<MATCHED>(in, out, tiles); }
extern "C" __global__ void reduced(const u32 *in, u32 *out, int tiles) { ring<REDUCED>(in, out, tiles); }

// One warp is producer and consumer. elect.sync is no memory order by the ISA, and counts as a join in
// practice: the next copy cannot overtake reads of other lanes.
extern "C" __global__ void one_warp(const u32 *in, u32 *out, int tiles) {
  __shared__ alignas(128) u32 tile[WORDS];
  __shared__ alignas(8) u64 full;
  const int lane = threadIdx.x;
  if (lane == 0) init(&full, 1);
  __syncwarp();
  u32 sum = 0;
  ONCE for (int t = 0; t < tiles; t++) {
    if (elected()) {
      expect(&full, sizeof tile);
      copy(tile, in + t * WORDS, sizeof tile, &full);
    }
    wait(&full, t & 1);
    ONCE for (int i = lane; i < WORDS; i += 32) sum += tile[i];
  }
  out[lane] = sum;
}

// Lane 0 by its number is no join.
template <bool BUG> __device__ void laneZero(const u32 *in, u32 *out, int tiles) {
  __shared__ alignas(128) u32 tile[WORDS];
  __shared__ alignas(8) u64 full;
  const int lane = threadIdx.x;
  if (lane == 0) init(&full, 1);
  __syncwarp();
  u32 sum = 0;
  ONCE for (int t = 0; t < tiles; t++) {
    if (lane == 0) {
      expect(&full, sizeof tile);
      copy(tile, in + t * WORDS, sizeof tile, &full);
    }
    wait(&full, t & 1);
    ONCE for (int i = lane; i < WORDS; i += 32) sum += tile[i];
    if (!BUG) __syncwarp();
  }
  out[lane] = sum;
}
extern "C" __global__ void lane_zero(const u32 *in, u32 *out, int tiles) { laneZero<false>(in, out, tiles); }
extern "C" __global__ void lane_zero_bug(const u32 *in, u32 *out, int tiles) { laneZero<true>(in, out, tiles); }

// Lane 0 releases the stage for lanes that may still read it.
template <bool BUG> __device__ void release(const u32 *in, u32 *out, int tiles) {
  __shared__ alignas(128) u32 tile[WORDS];
  __shared__ alignas(8) u64 full, empty;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&full, 1), init(&empty, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    ONCE for (int t = 0; t < tiles; t++) {
      wait(&empty, (t & 1) ^ 1);
      expect(&full, sizeof tile);
      copy(tile, in + t * WORDS, sizeof tile, &full);
    }
  if (threadIdx.x < 32) return;
  u32 sum = 0;
  ONCE for (int t = 0; t < tiles; t++) {
    wait(&full, t & 1);
    ONCE for (int i = lane; i < WORDS; i += 32) sum += tile[i];
    if (!BUG) __syncwarp();
    if (lane == 0) arrive(&empty);
  }
  out[lane] = sum;
}
extern "C" __global__ void released(const u32 *in, u32 *out, int tiles) { release<false>(in, out, tiles); }
extern "C" __global__ void released_bug(const u32 *in, u32 *out, int tiles) { release<true>(in, out, tiles); }

// All lanes wait, and lane 0 alone reads and releases: the others could be a lap behind.
extern "C" __global__ void lagging(const u32 *in, u32 *out, int tiles) {
  __shared__ alignas(128) u32 tile[WORDS];
  __shared__ alignas(8) u64 full, empty;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&full, 1), init(&empty, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    ONCE for (int t = 0; t < tiles; t++) {
      wait(&empty, (t & 1) ^ 1);
      expect(&full, sizeof tile);
      copy(tile, in + t * WORDS, sizeof tile, &full);
    }
  if (threadIdx.x < 32) return;
  u32 sum = 0;
  ONCE for (int t = 0; t < tiles; t++) {
    wait(&full, t & 1);
    if (lane > 0) continue;
    ONCE for (int i = 0; i < WORDS; i++) sum += tile[i];
    arrive(&empty);
  }
  if (lane == 0) *out = sum;
}

// All lanes wait, lane 0 alone copies, and at the end all say that everything is on its way.
extern "C" __global__ void load_order(const u32 *in, u32 *out, int tiles) {
  __shared__ alignas(128) u32 tile[WORDS];
  __shared__ alignas(8) u64 full, empty, loaded;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&full, 1), init(&empty, 1), init(&loaded, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    ONCE for (int t = 0; t < tiles; t++) {
      wait(&empty, (t & 1) ^ 1);
      if (lane > 0) continue;
      expect(&full, sizeof tile);
      copy(tile, in + t * WORDS, sizeof tile, &full);
    }
    arrive(&loaded);
    return;
  }
  u32 sum = 0;
  ONCE for (int t = 0; t < tiles; t++) {
    wait(&full, t & 1);
    sum += tile[lane];
    __syncwarp();
    if (lane == 0) arrive(&empty);
  }
  wait(&loaded, 0);
  out[lane] = sum;
}

// Lane 0 stores a tile and releases it; the others wait with it, also for groups that they never had.
extern "C" __global__ void storing(const u32 *in, u32 *out, int tiles) {
  __shared__ alignas(128) u32 tile[WORDS];
  __shared__ alignas(8) u64 full, empty;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&full, 1), init(&empty, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    ONCE for (int t = 0; t < tiles; t++) {
      wait(&empty, (t & 1) ^ 1);
      expect(&full, sizeof tile);
      copy(tile, in + t * WORDS, sizeof tile, &full);
    }
  if (threadIdx.x < 32) return;
  ONCE for (int t = 0; t < tiles; t++) {
    wait(&full, t & 1);
    if (lane == 0) store(out + t * WORDS, tile, sizeof tile);
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
    if (lane == 0) arrive(&empty);
  }
}

// Lane 0 releases a tile after the wait for the next one: it does not say that the others have read.
extern "C" __global__ void released_late_bug(const u32 *in, u32 *out, int tiles) {
  __shared__ alignas(128) u32 tile[2][WORDS];
  __shared__ alignas(8) u64 full[2], empty[2];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&full[0], 1), init(&full[1], 1), init(&empty[0], 1), init(&empty[1], 1);
  __syncthreads();
  if (threadIdx.x == 0)
    ONCE for (int t = 0; t < tiles; t++) {
      wait(&empty[t & 1], (t >> 1 & 1) ^ 1);
      expect(&full[t & 1], sizeof tile[0]);
      copy(tile[t & 1], in + t * WORDS, sizeof tile[0], &full[t & 1]);
    }
  if (threadIdx.x < 32) return;
  u32 sum = 0;
  ONCE for (int t = 0; t < tiles; t++) {
    wait(&full[t & 1], t >> 1 & 1);
    if (lane == 0 && t > 0) arrive(&empty[(t - 1) & 1]);
    sum += tile[t & 1][lane];
  }
  out[lane] = sum;
}

// All lanes of warp 0 store, one of them arrives for all; warp 1 reads.
template <bool BUG> __device__ void publish(u32 *out) {
  __shared__ u32 data[32];
  __shared__ alignas(8) u64 ready;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&ready, 1);
  __syncthreads();
  if (threadIdx.x < 32) {
    data[lane] = lane * lane;
    if (!BUG) __syncwarp();
    if (lane == 0) arrive(&ready);
  } else {
    wait(&ready, 0);
    out[lane] = data[31 - lane];
  }
}
extern "C" __global__ void published(u32 *out) { publish<false>(out); }
extern "C" __global__ void published_bug(u32 *out) { publish<true>(out); }

// Lanes exchange words through shared memory.
template <bool BUG> __device__ void exchange(u32 *out) {
  __shared__ u32 data[32];
  const int lane = threadIdx.x;
  ONCE for (int round = 0; round < 4; round++) {
    data[lane] = lane + round;
    if (!BUG) __syncwarp();
    out[lane + 32 * round] = data[lane ^ 1];
    __syncwarp();
  }
}
extern "C" __global__ void exchanged(u32 *out) { exchange<false>(out); }
extern "C" __global__ void exchanged_bug(u32 *out) { exchange<true>(out); }

// A sum over the lanes through volatile shared memory, as code from before Volta does it.
template <bool BUG> __device__ void reduceVolatile(const u32 *in, u32 *out) {
  __shared__ volatile u32 data[64];
  const int lane = threadIdx.x;
  data[lane] = in[lane];
  data[lane + 32] = 0;
  if (!BUG) __syncwarp();
  ONCE for (int d = 16; d > 0; d /= 2) {
    const u32 other = data[lane + d];
    if (!BUG) __syncwarp();
    data[lane] = data[lane] + other;
    if (!BUG) __syncwarp();
  }
  if (lane == 0) *out = data[0];
}
extern "C" __global__ void summed(const u32 *in, u32 *out) { reduceVolatile<false>(in, out); }
extern "C" __global__ void summed_bug(const u32 *in, u32 *out) { reduceVolatile<true>(in, out); }

// Each lane copies 16 bytes and waits for its own copies; another lane reads them.
template <bool BUG> __device__ void copyLanes(const uint4 *in, uint4 *out) {
  __shared__ uint4 data[32];
  const int lane = threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(addressOf(&data[lane])), "l"(in + lane) : "memory");
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
  if (!BUG) __syncwarp();
  out[lane] = data[lane ^ 5];
}
extern "C" __global__ void copied(const uint4 *in, uint4 *out) { copyLanes<false>(in, out); }
extern "C" __global__ void copied_bug(const uint4 *in, uint4 *out) { copyLanes<true>(in, out); }

// The same where each lane reads its own copy: nothing to join.
extern "C" __global__ void copied_own(const uint4 *in, uint4 *out) {
  __shared__ uint4 data[32];
  const int lane = threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(addressOf(&data[lane])), "l"(in + lane) : "memory");
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
  out[lane] = data[lane];
}

// Each lane stores its row with a bulk copy of its own; the rows are written again afterwards.
template <bool BUG> __device__ void rows(u32 *out) {
  __shared__ alignas(128) u32 row[32][4];
  const int lane = threadIdx.x;
  ONCE for (int round = 0; round < 3; round++) {
    ONCE for (int i = 0; i < 4; i++) row[lane][i] = lane + round;
    fenceAsync();
    store(out + (round * 32 + lane) * 4, row[lane], sizeof row[lane]);
    if (!BUG) waitStores();
    else if (lane == 0) waitStores();
    __syncwarp();
  }
}
extern "C" __global__ void stored(u32 *out) { rows<false>(out); waitStores(); }
extern "C" __global__ void stored_bug(u32 *out) { rows<true>(out); waitStores(); }

// One lane stores what all lanes wrote; all of them wait for groups that only it has.
template <bool BUG> __device__ void storeOne(u32 *out) {
  __shared__ alignas(128) u32 tile[WORDS];
  const int lane = threadIdx.x;
  ONCE for (int round = 0; round < 3; round++) {
    ONCE for (int i = lane; i < WORDS; i += 32) tile[i] = lane + round;
    fenceAsync();
    if (!BUG) __syncwarp();
    if (lane == 0) store(out + round * WORDS, tile, sizeof tile);
    waitStores();
    __syncwarp();
  }
}
extern "C" __global__ void stored_one(u32 *out) { storeOne<false>(out); }
extern "C" __global__ void stored_one_bug(u32 *out) { storeOne<true>(out); }

// Another lane than the one that stored waits for its groups.
extern "C" __global__ void stored_other_bug(u32 *out) {
  __shared__ alignas(128) u32 tile[WORDS];
  const int lane = threadIdx.x;
  ONCE for (int round = 0; round < 3; round++) {
    ONCE for (int i = lane; i < WORDS; i += 32) tile[i] = lane + round;
    fenceAsync();
    __syncwarp();
    if (lane == 0) store(out + round * WORDS, tile, sizeof tile);
    if (lane == 1) waitStores();
    __syncwarp();
  }
  waitStores();
}

// Tiles of 16 lanes: the first lane of each waits, and its tile joins.
template <bool BUG> __device__ void tilesOf16(const u32 *in, u32 *out, int tiles) {
  namespace cg = cooperative_groups;
  __shared__ alignas(128) u32 tile[WORDS];
  __shared__ alignas(8) u64 full, empty;
  auto half = cg::tiled_partition<16>(cg::this_thread_block());
  if (threadIdx.x == 0) init(&full, 1), init(&empty, 2);
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      ONCE for (int t = 0; t < tiles; t++) {
        wait(&empty, (t & 1) ^ 1);
        expect(&full, sizeof tile);
        copy(tile, in + t * WORDS, sizeof tile, &full);
      }
    return;
  }
  u32 sum = 0;
  ONCE for (int t = 0; t < tiles; t++) {
    if (BUG ? threadIdx.x == 32 : half.thread_rank() == 0) wait(&full, t & 1);
    half.sync();
    ONCE for (int i = threadIdx.x - 32; i < WORDS; i += 32) sum += tile[i];
    half.sync();
    if (half.thread_rank() == 0) arrive(&empty);
  }
  out[threadIdx.x - 32] = sum;
}
extern "C" __global__ void halves(const u32 *in, u32 *out, int tiles) { tilesOf16<false>(in, out, tiles); }
extern "C" __global__ void halves_bug(const u32 *in, u32 *out, int tiles) { tilesOf16<true>(in, out, tiles); }

// ldmatrix is made by the whole warp at once; a plain load is not.
template <bool MATRIX> __device__ void loadTile(const u32 *in, u32 *out, int tiles) {
  __shared__ alignas(128) u32 tile[WORDS];
  __shared__ alignas(8) u64 full, empty;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&full, 1), init(&empty, 1);
  __syncthreads();
  if (threadIdx.x < 32) {
    if (lane == 0)
      ONCE for (int t = 0; t < tiles; t++) {
        wait(&empty, (t & 1) ^ 1);
        expect(&full, sizeof tile);
        copy(tile, in + t * WORDS, sizeof tile, &full);
      }
    return;
  }
  u32 sum = 0;
  ONCE for (int t = 0; t < tiles; t++) {
    if (lane == 0) wait(&full, t & 1);
    u32 a = tile[0], b, c, d;
    if (MATRIX)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                   : "r"(addressOf(&tile[lane * 4]))
                   : "memory");
    else {
      volatile u32 *row = &tile[lane * 4];
      a = row[0], b = row[1], c = row[2], d = row[3];
    }
    sum += a + b + c + d;
    __syncwarp();
    if (lane == 0) arrive(&empty);
  }
  out[lane] = sum;
}
extern "C" __global__ void matrix_loaded(const u32 *in, u32 *out, int tiles) { loadTile<true>(in, out, tiles); }
extern "C" __global__ void loaded_bug(const u32 *in, u32 *out, int tiles) { loadTile<false>(in, out, tiles); }

// All lanes arrive at an mbarrier and wait for it: that joins them, too.
extern "C" __global__ void met_at_barrier(u32 *out) {
  __shared__ u32 data[64];
  __shared__ alignas(8) u64 all;
  const int i = threadIdx.x;
  if (i == 0) init(&all, 64);
  __syncthreads();
  ONCE for (int round = 0; round < 4; round++) {
    data[i] = i + round;
    arrive(&all);
    wait(&all, 0);
    out[64 * round + i] = data[63 - i] + data[i ^ 1];
    arrive(&all);
    wait(&all, 1);
  }
}

// Lane 0 initializes, all lanes arrive.
template <bool BUG> __device__ void begin(u32 *out) {
  __shared__ alignas(8) u64 all;
  if (threadIdx.x == 0) init(&all, 32);
  if (!BUG) __syncwarp();
  arrive(&all);
  wait(&all, 0);
  out[threadIdx.x] = 1;
}
extern "C" __global__ void begun(u32 *out) { begin<false>(out); }
extern "C" __global__ void begun_bug(u32 *out) { begin<true>(out); }

// Two branches of one warp that wait for each other: legal since Volta.
extern "C" __global__ void branches(u32 *out) {
  __shared__ alignas(8) u64 a, b;
  __shared__ u32 word;
  const int lane = threadIdx.x;
  if (lane == 0) init(&a, 31), init(&b, 1);
  __syncwarp();
  if (lane == 0) {
    wait(&a, 0);
    word = 7;
    arrive(&b);
  } else {
    arrive(&a);
    wait(&b, 0);
    out[lane] = word;
  }
}
// Here each waits for what the other does only afterwards.
extern "C" __global__ void branches_bug(u32 *out) {
  __shared__ alignas(8) u64 a, b;
  const int lane = threadIdx.x;
  if (lane == 0) init(&a, 31), init(&b, 1);
  __syncwarp();
  if (lane == 0) {
    wait(&a, 0);
    arrive(&b);
  } else {
    wait(&b, 0);
    arrive(&a);
  }
  out[lane] = 1;
}

// A barrier of all threads that half a warp comes to in each branch.
extern "C" __global__ void divergent_bug(u32 *out) {
  __shared__ u32 word;
  if (threadIdx.x < 16) {
    word = 1;
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = word;
}
// Branches that whole warps take meet well.
extern "C" __global__ void uniform_branches(u32 *out) {
  __shared__ u32 word;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) word = 1;
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = word;
}

// Words that pass a test move to the front: where each goes is data.
template <bool BUG> __device__ void compact(const u32 *in, u32 *out) {
  __shared__ u32 queue[32];
  const int lane = threadIdx.x;
  int count = 0;
  ONCE for (int i = 0; i < 4; i++) {
    const u32 word = in[i * 32 + lane];
    const u32 passed = __ballot_sync(FULL, word > 3);
    if (word > 3) queue[__popc(passed & ((1u << lane) - 1))] = word;
    if (!BUG) __syncwarp();
    if (lane < __popc(passed)) out[count + lane] = queue[lane];
    count += __popc(passed);
    __syncwarp();
  }
}
extern "C" __global__ void compacted(const u32 *in, u32 *out) { compact<false>(in, out); }
extern "C" __global__ void compacted_bug(const u32 *in, u32 *out) { compact<true>(in, out); }

// A join that leaves out a lane whose word is read.
extern "C" __global__ void joined_but_one_bug(u32 *out) {
  __shared__ u32 data[32];
  const int lane = threadIdx.x;
  data[lane] = lane * 3;
  if (lane == 31) return;
  __syncwarp(~(1u << 31));
  out[lane] = data[lane + 1];
}

// Lanes that have ended are members of no join.
extern "C" __global__ void ended_early(u32 *out) {
  __shared__ u32 data[32];
  const int lane = threadIdx.x;
  if (lane >= 20) return;
  data[lane] = lane;
  __syncwarp(0xfffff);
  out[lane] = data[19 - lane];
}

// Tiles of eight lanes, and a word of the tile beside.
template <int NEAR> __device__ void tilesOf8(u32 *out) {
  namespace cg = cooperative_groups;
  __shared__ u32 data[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int lane = threadIdx.x;
  ONCE for (int round = 0; round < 3; round++) {
    data[lane] = round + lane;
    tile.sync();
    out[32 * round + lane] = data[lane ^ NEAR];
    tile.sync();
  }
}
extern "C" __global__ void eighths(u32 *out) { tilesOf8<7>(out); }
extern "C" __global__ void eighths_bug(u32 *out) { tilesOf8<15>(out); }

// Each of eight lanes initializes a barrier.
extern "C" __global__ void eight_barriers(u32 *out) {
  __shared__ alignas(8) u64 ready[8];
  if (threadIdx.x < 8) init(&ready[threadIdx.x], 8);
  __syncthreads();
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 < 8) arrive(&ready[warp]);
  wait(&ready[warp], 0);
  out[threadIdx.x] = 1;
}
