// Kernels with barriers, waits and fences that are needed, and with some that are not: what
// `poundlock advise` says of each is compared with runs of copies without it.
#include <cstdint>
#define DEVICE __device__ __forceinline__

DEVICE uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
DEVICE void init(uint64_t *b, uint32_t n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(n) : "memory");
}
DEVICE void arrive(uint64_t *b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}
DEVICE void expect(uint64_t *b, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes) : "memory");
}
DEVICE void wait(uint64_t *b, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra again;\n}" ::"r"(
                   shared_address(b)), "r"(parity) : "memory");
}
DEVICE void load(void *to, const void *from, uint32_t bytes, uint64_t *b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(b)) : "memory");
}
DEVICE void store(void *to, const void *from, uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), "r"(bytes) : "memory");
}
DEVICE void sync(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
DEVICE void reach(int id, int threads) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
DEVICE void copy16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
DEVICE void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> DEVICE void pending() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }
DEVICE void proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
DEVICE int mix(int x, int y) { return x * 1664525 + y + 1013904223; }

// A sum of a block by halves: the barrier before the loop, and one after it that nothing needs.
extern "C" __global__ void block_sum(const int *in, int *out, int n) {
  __shared__ int part[256];
  int t = threadIdx.x, sum = 0;
  for (int i = t; i < n; i += 256) sum += in[blockIdx.x * n + i];
  part[t] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  __syncthreads();
  if (t == 0) out[blockIdx.x] = part[0];
}

// A tile through shared memory, once a block: the barrier behind the last use is not needed.
extern "C" __global__ void turn_tile(const int *in, int *out, int n) {
  __shared__ int tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  for (int row = y; row < 32; row += 8) tile[row][x] = in[blockIdx.x * 1024 + row * 32 + x];
  __syncthreads();
  for (int row = y; row < 32; row += 8) out[blockIdx.x * 1024 + row * 32 + x] = mix(tile[x][row], n);
  __syncthreads();
}

// Two buffers in turn: with one barrier in a round, the second one is not needed.
extern "C" __global__ void two_buffers(const int *in, int *out, int rounds) {
  __shared__ int buffer[2][128];
  int t = threadIdx.x, sum = 0;
  for (int round = 0; round < rounds; round++) {
    buffer[round & 1][t] = in[round * 128 + t];
    __syncthreads();
    sum = mix(sum, buffer[round & 1][(t * 37 + 65) & 127]);
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}

// One buffer: both barriers of a round are needed.
extern "C" __global__ void one_buffer(const int *in, int *out, int rounds) {
  __shared__ int buffer[128];
  int t = threadIdx.x, sum = 0;
  for (int round = 0; round < rounds; round++) {
    buffer[t] = in[round * 128 + t];
    __syncthreads();
    sum = mix(sum, buffer[(t * 37 + 65) & 127]);
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}

// Copies of threads, three stages: the barrier at the end of a round is one too many, and the wait
// for all groups could leave one open.
extern "C" __global__ void copy_stages(const int *in, int *out, int rounds) {
  __shared__ __align__(16) int stage[3][512];
  int t = threadIdx.x, sum = 0;
  for (int first = 0; first < 2; first++) {
    copy16(&stage[first][t * 4], &in[first * 512 + t * 4]);
    commit();
  }
  for (int round = 0; round < rounds; round++) {
    pending<0>();
    __syncthreads();
    if (round + 2 < rounds) copy16(&stage[(round + 2) % 3][t * 4], &in[(round + 2) * 512 + t * 4]);
    commit();
    for (int i = 0; i < 4; i++) sum = mix(sum, stage[round % 3][(t * 4 + i * 129 + 260) & 511]);
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}

// The largest and the sum of a row, through the same words: of four barriers the last is not needed.
extern "C" __global__ void row_scale(const int *in, int *out, int n) {
  __shared__ int part[8];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  int value = in[blockIdx.x * 256 + t] & 0xffff, most = value;
  for (int step = 16; step > 0; step >>= 1) most = max(most, __shfl_xor_sync(~0u, most, step));
  if (lane == 0) part[warp] = most;
  __syncthreads();
  most = 0;
  for (int i = 0; i < 8; i++) most = max(most, part[i]);
  __syncthreads();
  int sum = value * 3 + n;
  for (int step = 16; step > 0; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) part[warp] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 8; i++) sum += part[i];
  out[blockIdx.x * 256 + t] = mix(value - most, sum);
  __syncthreads();
}

// Running sums with two buffers: one barrier a step is enough.
extern "C" __global__ void running_sum(const int *in, int *out, int n) {
  __shared__ int sums[2][256];
  int t = threadIdx.x, from = 0;
  sums[0][t] = in[blockIdx.x * 256 + t] + n;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    sums[from ^ 1][t] = sums[from][t] + (t >= step ? sums[from][t - step] : 0);
    from ^= 1;
    __syncthreads();
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = sums[from][t];
}

// A ring of bulk copies; the barrier of the block in each round orders nothing that the ring does not.
extern "C" __global__ void bulk_ring(const int *in, int *out, int tiles) {
  __shared__ __align__(128) int tile[2][256];
  __shared__ uint64_t full[2], empty[2];
  int t = threadIdx.x, warp = t >> 5, lane = t & 31, sum = 0;
  if (t == 0) {
    for (int i = 0; i < 2; i++) init(&full[i], 1), init(&empty[i], 64);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  for (int k = 0; k < tiles; k++) {
    int s = k & 1, phase = (k >> 1) & 1;
    if (warp == 0) {
      if (lane == 0) {
        wait(&empty[s], phase ^ 1);
        expect(&full[s], sizeof tile[s]);
        load(tile[s], in + k * 256, sizeof tile[s], &full[s]);
      }
      __syncwarp();
    } else {
      wait(&full[s], phase);
      for (int i = t - 32; i < 256; i += 64) sum = mix(sum, tile[s][i]);
      arrive(&empty[s]);
    }
    __syncthreads();
  }
  if (warp > 0) out[blockIdx.x * 64 + t - 32] = sum;
}

// A ring without that barrier: every wait is needed but the one of the drain.
extern "C" __global__ void bulk_ring_drained(const int *in, int *out, int tiles) {
  __shared__ __align__(128) int tile[2][256];
  __shared__ uint64_t full[2], empty[2];
  int t = threadIdx.x, warp = t >> 5, lane = t & 31, sum = 0;
  if (t == 0) {
    for (int i = 0; i < 2; i++) init(&full[i], 1), init(&empty[i], 2);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (warp == 0) {
    if (lane == 0) {
      for (int k = 0; k < tiles; k++) {
        wait(&empty[k & 1], ((k >> 1) & 1) ^ 1);
        expect(&full[k & 1], sizeof tile[0]);
        load(tile[k & 1], in + k * 256, sizeof tile[0], &full[k & 1]);
      }
      for (int k = tiles; k < tiles + 2; k++) wait(&empty[k & 1], ((k >> 1) & 1) ^ 1);
    }
  } else {
    for (int k = 0; k < tiles; k++) {
      wait(&full[k & 1], (k >> 1) & 1);
      for (int i = t - 32; i < 256; i += 64) sum = mix(sum, tile[k & 1][i]);
      __syncwarp();
      if (lane == 0) arrive(&empty[k & 1]);
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

// Named barriers between two pairs of warps, and a barrier of the block that is not needed.
extern "C" __global__ void named_pairs(const int *in, int *out, int rounds) {
  __shared__ int box[64];
  int t = threadIdx.x, sum = 0;
  bool makes = t < 64;
  if (!makes) reach(2, 128);
  for (int round = 0; round < rounds; round++) {
    if (makes) {
      sync(2, 128);
      box[t] = in[round * 64 + t];
      reach(1, 128);
    } else {
      sync(1, 128);
      sum = mix(sum, box[(t * 7 + 33) & 63]);
      reach(2, 128);
    }
  }
  if (makes) sync(2, 128);
  __syncthreads();
  if (!makes) out[blockIdx.x * 64 + t - 64] = sum;
}

// A row of cells in steps, with halos of neighbors: the barrier after the last step is not needed.
extern "C" __global__ void steps_of_cells(const int *in, int *out, int rounds) {
  __shared__ int cells[2][130];
  int t = threadIdx.x;
  cells[0][t + 1] = in[blockIdx.x * 128 + t];
  if (t < 2) cells[0][t * 129] = cells[1][t * 129] = 1;
  __syncthreads();
  for (int round = 0; round < rounds; round++) {
    int from = round & 1;
    cells[from ^ 1][t + 1] = mix(cells[from][t], cells[from][t + 1] ^ cells[from][t + 2]);
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = cells[rounds & 1][t + 1];
  __syncthreads();
}

// Counts in shared memory by atomics: zero, count, write; one barrier twice.
extern "C" __global__ void counts(const int *in, int *out, int n) {
  __shared__ int bins[64];
  int t = threadIdx.x;
  if (t < 64) bins[t] = 0;
  __syncthreads();
  for (int i = t; i < n; i += 128) atomicAdd(&bins[(blockIdx.x * 7 + i * 13) & 63], in[i] & 15);
  __syncthreads();
  __syncthreads();
  if (t < 64) out[blockIdx.x * 64 + t] = bins[63 - t];
}

// Results through one buffer and a bulk store: the wait for its reads and both barriers of a round
// are needed, the barrier behind the loop is not.
extern "C" __global__ void bulk_out(const int *in, int *out, int rounds) {
  __shared__ __align__(128) int buffer[128];
  int t = threadIdx.x;
  for (int round = 0; round < rounds; round++) {
    buffer[t ^ 65] = mix(in[round * 128 + t], round);
    proxy_fence();
    __syncthreads();
    if (t == 0) {
      store(out + (blockIdx.x * rounds + round) * 128, buffer, sizeof buffer);
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
  }
  __syncthreads();
}

// Lanes of one warp: of the barriers of the warp, the one after the last use is not needed.
extern "C" __global__ void lanes(const int *in, int *out, int rounds) {
  __shared__ int words[4][32];
  int t = threadIdx.x & 31, warp = threadIdx.x >> 5, value = in[threadIdx.x];
  for (int round = 0; round < rounds; round++) {
    words[warp][t] = value;
    __syncwarp();
    value = mix(value, words[warp][t ^ (round & 31)]);
    __syncwarp();
  }
  __syncwarp();
  out[blockIdx.x * 128 + threadIdx.x] = value;
}

// Threads of a block exchange through global memory: the barrier between is needed.
extern "C" __global__ void through_global(const int *in, int *out, int *scratch) {
  int t = threadIdx.x, base = blockIdx.x * 128;
  scratch[base + t] = in[t] * 5;
  __syncthreads();
  int value = __ldcg(scratch + base + (t * 37 + 65) % 128);
  __syncthreads();
  out[base + t] = value;
}

// Blocks of a cluster read each other's memory: the last barrier keeps it there, one more is not
// needed.
extern "C" __global__ void __cluster_dims__(2, 1, 1) neighbors(const int *in, int *out, int n) {
  __shared__ int words[128];
  int t = threadIdx.x, rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  words[t] = mix(in[blockIdx.x * 128 + t], n);
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  uint32_t remote;
  int value;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(shared_address(&words[127 - t])), "r"(rank ^ 1));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(remote) : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  out[blockIdx.x * 128 + t] = value;
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// A product of integer matrices by tiles: both barriers of a round are needed, not that behind it.
extern "C" __global__ void tiled_product(const int *in, int *out, int tiles) {
  __shared__ int a[16][16], b[16][16];
  int x = threadIdx.x, y = threadIdx.y, sum = 0, n = tiles * 16;
  for (int k = 0; k < tiles; k++) {
    a[y][x] = in[y * n + k * 16 + x];
    b[y][x] = in[4096 + (k * 16 + y) * 16 + x];
    __syncthreads();
    for (int i = 0; i < 16; i++) sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 256 + y * 16 + x] = sum;
}
