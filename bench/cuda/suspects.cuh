// Mechanisms of docs/suspects as kernels of our own, each with its fix as a template argument.
#pragma once
#include "pair.cuh"

/** Stores a word into a CTA of the cluster, which completes 4 bytes of its barrier. */
DEVICE void store_async(uint32_t to, int value, uint32_t bar) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to),
               "r"(value), "r"(bar)
               : "memory");
}

/** thunderkittens-based: a warp fetches the next tile on a barrier that others have not waited for. */
template <bool FIXED>
__global__ void based(const int *in, int *out, int delay) {
  __shared__ alignas(128) int tile[2][WORDS];
  __shared__ uint64_t bar;
  constexpr int TILES = 6, BYTES = sizeof tile[0];
  if (threadIdx.x == 0) {
    barrier_init(&bar, 1);
    fence_init();
    arrive_expect(&bar, BYTES);
    bulk_copy(tile[0], in, BYTES, &bar);
  }
  __syncthreads();
  int sum = 0;
  for (int t = 0; t < TILES; t++) {
    if (warp() == 1 && t == 0) late(delay);
    wait_for(&bar, t & 1);
    if (FIXED) __syncthreads();
    if (threadIdx.x == 0 && t + 1 < TILES) {
      arrive_expect(&bar, BYTES);
      bulk_copy(tile[(t + 1) & 1], in + WORDS * (t + 1), BYTES, &bar);
    }
    sum += tile[t & 1][threadIdx.x % WORDS];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

/** thunderkittens-linear-attention: four warps change one shared vector in place. */
template <bool FIXED>
__global__ void linear_attention(const int *, int *out, int delay) {
  __shared__ float decay[WORDS];
  if (threadIdx.x < WORDS) decay[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (!FIXED || warp() == 0) {
    if (warp() == 1) late(delay);
    for (int i = lane(); i < WORDS; i += 32) decay[i] *= -0.5f;
    __syncwarp();
    for (int i = lane(); i < WORDS; i += 32) decay[i] = __expf(decay[i]);
  }
  __syncthreads();
  if (threadIdx.x < WORDS) out[threadIdx.x] = __float_as_int(decay[threadIdx.x]);
}

/** thunderkittens-hedgehog: one thread stores a tile, and each waits for its own groups. */
template <bool FIXED>
__global__ void hedgehog(const int *, int *out, int) {
  extern __shared__ __align__(128) int large[];
  constexpr int TILE = 8192;
  for (int t = 0; t < 4; t++) {
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    if (FIXED) __syncthreads();
    for (int i = TILE - 1 - static_cast<int>(threadIdx.x); i >= 0; i -= blockDim.x) large[i] = t * TILE + i;
    fence_async();
    named_sync(1, blockDim.x);
    if (threadIdx.x == 0) {
      bulk_store(out + t * TILE, large, TILE * sizeof(int));
      bulk_commit();
    }
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/** thunderkittens-backward: one warpgroup reads both halves, the other one stores the next. */
template <bool FIXED>
__global__ void backward(const int *, int *out, int delay) {
  __shared__ int halves[256];
  int sum = 0;
  for (int t = 0; t < 4; t++) {
    halves[threadIdx.x] = t * 256 + threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 128) {
      late(delay);
      for (int i = 0; i < 256; i++) sum += halves[i];
    }
    if (FIXED) __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = sum;
}

/** cutlass-pipeline-test: one thread arrives for four warps, of which one is late by two rounds. */
template <bool FIXED>
__global__ void pipeline(const int *in, int *out, int delay) {
  __shared__ alignas(128) int tile[2][WORDS];
  __shared__ uint64_t full[2], empty[2];
  constexpr int TILES = 8, BYTES = sizeof tile[0], CONSUMERS = 128;
  if (threadIdx.x == 0)
    for (int s = 0; s < 2; s++) {
      barrier_init(&full[s], 1);
      barrier_init(&empty[s], FIXED ? CONSUMERS : 1);
    }
  fence_init();
  __syncthreads();
  if (threadIdx.x == CONSUMERS)
    for (int t = 0; t < TILES; t++) {
      const int s = t & 1;
      if (t >= 2) wait_for(&empty[s], ((t >> 1) - 1) & 1);
      arrive_expect(&full[s], BYTES);
      bulk_copy(tile[s], in + WORDS * t, BYTES, &full[s]);
    }
  if (threadIdx.x >= CONSUMERS) return;
  int sum = 0;
  for (int t = 0; t < TILES; t++) {
    const int s = t & 1;
    if (warp() == 2 && t == 1) late(delay);
    wait_for(&full[s], (t >> 1) & 1);
    sum += tile[s][threadIdx.x % WORDS];
    if (FIXED || threadIdx.x == 0) arrive(&empty[s]);
  }
  out[threadIdx.x] = sum;
}

/** flashinfer-epilogue: each warp arrives at a barrier and then waits at it, so that it counts twice. */
template <bool FIXED>
__global__ void epilogue(const int *, int *out, int delay) {
  __shared__ int part[128];
  part[threadIdx.x] = 0;
  __syncthreads();
  if (warp() >= 2) late(delay);
  part[threadIdx.x] = threadIdx.x + 1;
  if (!FIXED) named_arrive(1, 128);
  named_sync(1, 128);
  out[threadIdx.x] = part[127 - threadIdx.x];
  __syncthreads();
}

/** triton-cluster-barrier-phase: warps read the phase after they have met, and one writes the next. */
template <bool FIXED>
__global__ void phase_word(const int *, int *out, int delay) {
  __shared__ uint64_t bar;
  __shared__ volatile int phase;
  if (threadIdx.x == 0) {
    barrier_init(&bar, 1);
    phase = 0;
  }
  fence_init();
  __syncthreads();
  for (int t = 0; t < 4; t++) {
    named_sync(1, 128);
    if (warp() == 3 && t == 1) late(delay);
    const int own = phase;
    if (FIXED) named_sync(2, 128);
    if (threadIdx.x == 0) arrive(&bar);
    wait_for(&bar, own);
    if (threadIdx.x == 0) phase = own ^ 1;
  }
  out[threadIdx.x] = 1;
}

/** triton-st-async-before-peer: a CTA stores into one that may not have begun. */
template <bool FIXED>
__global__ void __cluster_dims__(2, 1, 1) before_peer(const int *, int *out, int delay) {
  __shared__ uint64_t bar;
  __shared__ alignas(16) int word;
  const int rank = cluster_rank();
  if (rank == 1) late(delay);
  if (threadIdx.x == 0) barrier_init(&bar, 1);
  fence_init();
  if (FIXED) cluster_sync();
  else __syncthreads();
  if (rank == 0 && threadIdx.x == 0) store_async(at_rank(&word, 1), 7, at_rank(&bar, 1));
  if (rank == 1) {
    if (threadIdx.x == 0) arrive_expect(&bar, sizeof word);
    wait_for(&bar, 0);
    out[threadIdx.x] = word;
  }
  cluster_sync();
}

/** triton-st-async-twice: twice as many bytes are stored as are expected. */
template <bool FIXED>
__global__ void __cluster_dims__(2, 1, 1) stored_twice(const int *, int *out, int delay) {
  __shared__ uint64_t bar;
  __shared__ alignas(16) int words[WORDS];
  const int rank = cluster_rank(), peer = rank ^ 1, word = threadIdx.x % WORDS;
  if (threadIdx.x == 0) barrier_init(&bar, 1);
  fence_init();
  cluster_sync();
  for (int t = 0; t < 3; t++) {
    if (threadIdx.x == 0) arrive_expect(&bar, sizeof words);
    cluster_sync();
    if (warp() >= 2) late(delay);
    if (!FIXED || warp() < 2) store_async(at_rank(&words[word], peer), t * WORDS + word, at_rank(&bar, peer));
    wait_for(&bar, t & 1);
    if (rank == 0 && threadIdx.x < WORDS) out[t * WORDS + word] = words[word];
    cluster_sync();
  }
}

/** hecbench-groupnorm: the partial sums of two reductions are in one array. */
template <bool FIXED>
__global__ void groupnorm(const int *, int *out, int delay) {
  __shared__ int sums[8];
  int result = 0;
  for (int t = 0; t < 3; t++) {
    int own = t * 1000 + threadIdx.x;
    for (int far = 16; far > 0; far /= 2) own += __shfl_xor_sync(~0u, own, far);
    if (lane() == 0) sums[warp()] = own;
    __syncthreads();
    if (warp() == 5) late(delay);
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += sums[i];
    result = result * 3 + sum;
    if (FIXED) __syncthreads();
  }
  out[threadIdx.x] = result;
}
