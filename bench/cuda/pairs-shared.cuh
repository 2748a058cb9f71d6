// Pairs about shared memory and the barriers of a block.
#pragma once
#include "pair.cuh"

/** Each thread stores over a word that its neighbor reads. */
template <bool RIGHT> __global__ void stencil(const int *in, int *out, int delay) {
  __shared__ int row[129];
  row[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) row[128] = 0;
  __syncthreads();
  if (warp() == 1) late(delay);
  const int sum = row[threadIdx.x] + row[threadIdx.x + 1];
  if (RIGHT) __syncthreads();
  row[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x];
}

/** Lanes of one warp exchange words in the two branches of one condition. */
template <bool RIGHT> __global__ void lanes_apart(const int *in, int *out, int delay) {
  __shared__ int words[32];
  const int own = in[lane()];
  int seen;
  words[lane()] = -1;
  __syncwarp();
  // The comments keep the compiler from merging the branches.
  if (lane() & 1) {
    late(delay);
    words[lane()] = own * 3;
    asm volatile("// odd lanes" ::: "memory");
    if (!RIGHT) seen = words[lane() - 1];
    asm volatile("// odd lanes have read" ::: "memory");
  } else {
    words[lane()] = own + 1;
    asm volatile("// even lanes" ::: "memory");
    if (!RIGHT) seen = words[lane() + 1];
    asm volatile("// even lanes have read" ::: "memory");
  }
  if (RIGHT) {
    __syncwarp();
    seen = words[lane() ^ 1];
  }
  out[lane()] = seen;
}

/** One thread stores a word for all. */
template <bool RIGHT> __global__ void broadcast(const int *in, int *out, int delay) {
  __shared__ int word;
  if (threadIdx.x == 0) word = -1;
  __syncthreads();
  if (warp() == 0) late(delay);
  if (threadIdx.x == 0) word = in[5];
  if (RIGHT) __syncthreads();
  out[threadIdx.x] = word + threadIdx.x;
}

/** Warps count in one word. */
template <bool RIGHT> __global__ void counter(const int *, int *out, int delay) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (lane() == 0) {
    if (RIGHT) {
      late(delay);
      atomicAdd(&count, warp() + 1);
    } else {
      const int before = count;
      late(delay);
      count = before + warp() + 1;
    }
  }
  __syncthreads();
  out[threadIdx.x] = count;
}

/** Bins are cleared by one thread and counted in by another one. */
template <bool RIGHT> __global__ void histogram(const int *, int *out, int delay) {
  __shared__ int bins[128];
  if (warp() == 3) late(delay);
  bins[threadIdx.x] = 0;
  if (RIGHT) __syncthreads();
  atomicAdd(&bins[127 - threadIdx.x], threadIdx.x + 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x];
}

/** Rows are stored and columns are loaded. */
template <bool RIGHT> __global__ void transpose(const int *in, int *out, int delay) {
  __shared__ int tile[32][33];
  for (int r = warp(); r < 32; r += 8) tile[r][lane()] = -1;
  __syncthreads();
  if (warp() == 3) late(delay);
  for (int r = warp(); r < 32; r += 8) tile[r][lane()] = in[r * 32 + lane()];
  if (RIGHT) __syncthreads();
  for (int r = warp(); r < 32; r += 8) out[r * 32 + lane()] = tile[lane()][r];
}

/** A prefix sum in place with one barrier for each step, where it needs two. */
template <bool RIGHT> __global__ void scan(const int *in, int *out, int delay) {
  __shared__ int sums[128];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    if (warp() == 2 && step == 32) late(delay);
    const int before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    if (RIGHT) __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  out[threadIdx.x] = sums[threadIdx.x];
}

/** One barrier in each round is enough for two tiles and not for one. */
template <bool RIGHT> __global__ void staged(const int *in, int *out, int delay) {
  __shared__ int tile[2][128];
  int sum = 0;
  for (int t = 0; t < 6; t++) {
    int *const here = tile[RIGHT ? t & 1 : 0];
    here[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    if (warp() == 2) late(delay);
    sum = sum * 3 + here[127 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

/** Arrivals at a named barrier overtake those who wait at it. */
template <bool RIGHT> __global__ void arrive_laps(const int *in, int *out, int delay) {
  __shared__ int tile[4][WORDS];
  int sum = 0;
#pragma unroll
  for (int t = 0; t < 4; t++) {
    const int id = RIGHT ? t + 1 : 1;
    if (threadIdx.x < WORDS) {
      tile[t][threadIdx.x] = in[t * WORDS + threadIdx.x];
      named_arrive(id, 2 * WORDS);
    } else {
      if (t == 0) late(delay);
      named_sync(id, 2 * WORDS);
      sum = sum * 3 + tile[t][2 * WORDS - 1 - threadIdx.x];
    }
  }
  out[threadIdx.x] = sum;
}

/** A named barrier for half of those who meet at it. */
template <bool RIGHT> __global__ void count_too_small(const int *in, int *out, int delay) {
  __shared__ int row[128];
  row[threadIdx.x] = -1;
  __syncthreads();
  if (warp() >= 2) late(delay);
  row[threadIdx.x] = in[threadIdx.x];
  named_sync(1, RIGHT ? 128 : 64);
  out[threadIdx.x] = row[127 - threadIdx.x];
}

/** A named barrier for more threads than ever come. */
template <bool RIGHT> __global__ void count_too_large(const int *in, int *out, int) {
  __shared__ int row[96];
  if (threadIdx.x < 96) {
    row[threadIdx.x] = in[threadIdx.x];
    named_sync(1, RIGHT ? 96 : 128);
    out[threadIdx.x] = row[95 - threadIdx.x];
  }
}

/** A word for each item, which the next item replaces: who reads it must give it back. */
template <bool RIGHT> __global__ void mailbox(const int *in, int *out, int delay) {
  __shared__ uint64_t full, empty;
  __shared__ int item;
  if (threadIdx.x == 0) {
    barrier_init(&full, 1);
    barrier_init(&empty, RIGHT ? 32 : 1);
  }
  fence_init();
  __syncthreads();
  if (threadIdx.x == 0)
    for (int t = 0; t < 6; t++) {
      if (t > 0) wait_for(&empty, (t - 1) & 1);
      item = in[t];
      arrive(&full);
    }
  if (warp() != 1) return;
  int sum = 0;
  for (int t = 0; t < 6; t++) {
    wait_for(&full, t & 1);
    if (!RIGHT && lane() == 0) arrive(&empty);
    if (t == 1) late(delay);
    sum = sum * 3 + item;
    if (RIGHT) arrive(&empty);
  }
  out[lane()] = sum;
}

/** Blocks count in one word of global memory. */
template <bool RIGHT> __global__ void global_counter(const int *, int *out, int delay) {
  if (threadIdx.x != 0) return;
  if (RIGHT) {
    late(delay);
    atomicAdd(out, blockIdx.x + 1);
  } else {
    const int before = *out;
    late(delay);
    *out = before + blockIdx.x + 1;
  }
}

/** A block reads what another one stores, and waits for its flag or does not. */
template <bool RIGHT> __global__ void flag_of_block(const int *in, int *out, int delay) {
  int *const flag = out + 4096;
  if (blockIdx.x == 0) {
    late(delay);
    out[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
  } else {
    if (RIGHT && threadIdx.x == 0) {
      int is_set = 0;
      while (is_set == 0) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(is_set) : "l"(flag) : "memory");
    }
    __syncthreads();
    out[256 + threadIdx.x] = out[127 - threadIdx.x];
  }
}

/** The last block adds what all blocks stored; a block takes its ticket before all its threads have stored. */
template <bool RIGHT> __global__ void last_block(const int *in, int *out, int delay) {
  __shared__ int ticket;
  int *const parts = out + 256;
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (warp() == 1) late(delay);
  parts[index] = in[index];
  __threadfence();
  if (RIGHT) __syncthreads();
  if (threadIdx.x == 0) {
    ticket = atomicAdd(out, 1);
    __threadfence();
  }
  __syncthreads();
  if (ticket + 1 != gridDim.x) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; b++) sum += parts[b * blockDim.x + blockDim.x - 1 - threadIdx.x];
  out[1 + threadIdx.x] = sum;
}
