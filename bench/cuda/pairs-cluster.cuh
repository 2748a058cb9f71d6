// Pairs about clusters, tensor cores and registers of warpgroups.
#pragma once
#include "pair.cuh"
#include "wgmma.cuh"

DEVICE int load_remote(const int *word, int rank) {
  int value;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(at_rank(word, rank)) : "memory");
  return value;
}

/** Waits for a phase that another block of the cluster completes. */
DEVICE void wait_for_peer(uint64_t *bar, int parity) {
  asm volatile(
      "{\n.reg .pred p;\n"
      "AGAIN:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
      "@!p bra AGAIN;\n}" ::"r"(at(bar)),
      "r"(parity)
      : "memory");
}

/** A block reads the memory of another one, which may have ended. */
template <bool RIGHT> __global__ void __cluster_dims__(2, 1, 1) peer_ended(const int *in, int *out, int delay) {
  __shared__ int words[WORDS];
  words[threadIdx.x] = in[threadIdx.x];
  cluster_sync();
  if (cluster_rank() == 0) {
    late(delay);
    out[threadIdx.x] = load_remote(&words[threadIdx.x], 1);
  }
  if (RIGHT) cluster_sync();
}

/** A block reads the memory of another one, which may not have stored yet. */
template <bool RIGHT> __global__ void __cluster_dims__(2, 1, 1) peer_unsynced(const int *in, int *out, int delay) {
  __shared__ int words[WORDS];
  words[threadIdx.x] = -1;
  cluster_sync();
  if (cluster_rank() == 1) late(delay);
  words[threadIdx.x] = in[threadIdx.x];
  if (RIGHT) cluster_sync();
  else __syncthreads();
  if (cluster_rank() == 0) out[threadIdx.x] = load_remote(&words[WORDS - 1 - threadIdx.x], 1);
  cluster_sync();
}

/** A block arrives at its own barrier instead of that of the other one. */
template <bool RIGHT> __global__ void __cluster_dims__(2, 1, 1) own_barrier(const int *, int *out, int) {
  __shared__ uint64_t bar;
  const int rank = cluster_rank();
  make(&bar, 1);
  cluster_sync();
  if (rank == 0 && threadIdx.x == 0) arrive_remote(at_rank(&bar, RIGHT ? 1 : 0));
  if (rank == 1) wait_for_peer(&bar, 0);
  out[rank * WORDS + threadIdx.x] = rank + 1;
  cluster_sync();
}

/** A block copies tiles to both when only its own consumer has released the stage. */
template <bool RIGHT> __global__ void __cluster_dims__(2, 1, 1) peer_not_released(const int *in, int *out, int delay) {
  __shared__ alignas(128) int tile[2][WORDS];
  __shared__ uint64_t full[2], empty[2];
  constexpr int TILES = 6, BYTES = sizeof tile[0];
  const int rank = cluster_rank();
  if (threadIdx.x == 0)
    for (int s = 0; s < 2; s++) {
      barrier_init(&full[s], 1);
      barrier_init(&empty[s], RIGHT ? 2 : 1);
      arrive_expect(&full[s], BYTES);
    }
  fence_init();
  cluster_sync();
  if (rank == 0 && threadIdx.x == 0)
    for (int t = 0; t < TILES; t++) {
      const int s = t & 1;
      if (t >= 2) wait_for_peer(&empty[s], ((t >> 1) - 1) & 1);
      bulk_multicast(tile[s], in + WORDS * t, BYTES, &full[s], 3);
    }
  if (warp() == 1) {
    int sum = 0;
    for (int t = 0; t < TILES; t++) {
      const int s = t & 1;
      wait_for(&full[s], (t >> 1) & 1);
      if (rank == 1 && t == 0) late(delay);
      sum = sum * 3 + tile[s][lane()];
      __syncwarp();
      if (lane() == 0) {
        if (t + 2 < TILES) arrive_expect(&full[s], BYTES);
        if (RIGHT || rank == 0) arrive_remote(at_rank(&empty[s], 0));
      }
    }
    out[rank * 32 + lane()] = sum;
  }
  cluster_sync();
}

/** A stage is released when its products have been issued, not when they are done. */
template <bool RIGHT> __global__ void __launch_bounds__(160) products_open(const int *in, int *out, int) {
  constexpr int A = 64 * 128, B = 128 * 128, TILES = 4, REPEATS = 128;
  __shared__ alignas(1024) char tile[A + B];
  __shared__ uint64_t full, empty;
  if (threadIdx.x == 0) {
    barrier_init(&full, 1);
    barrier_init(&empty, 128);
  }
  fence_init();
  __syncthreads();
  // All lanes have the same, so that the compiler need not serialize the products.
  const int role = __shfl_sync(~0u, warp(), 0);
  if (role == 4 && lane() == 0)
    for (int t = 0; t < TILES; t++) {
      if (t > 0) wait_for(&empty, (t - 1) & 1);
      arrive_expect(&full, A + B);
      bulk_copy(tile, in + t * (A + B) / sizeof(int), A + B, &full);
    }
  if (role == 4) return;
  int d[64] = {};
#pragma unroll 1
  for (int t = 0; t < TILES; t++) {
    wait_for(&full, t & 1);
#pragma unroll 1
    for (int i = 0; i < REPEATS; i++) {
      mma_fence();
      mma<S8, 128>(d, mma_tile(tile) + i % 4 * 2, mma_tile(tile + A) + i % 4 * 2);
    }
    mma_commit();
    if (RIGHT) mma_wait<0>();
    arrive(&empty);
    if (!RIGHT) mma_wait<0>();
  }
  for (int i = 0; i < 64; i++) out[threadIdx.x * 64 + i] = d[i];
}

/** Two warpgroups want registers that the third one keeps. */
template <bool RIGHT> __global__ void __launch_bounds__(384, 1) registers_kept(const int *, int *out, int) {
#if HAS_WGMMA
  if (threadIdx.x < 128) {
    if (RIGHT) asm volatile("setmaxnreg.dec.sync.aligned.u32 24;" ::: "memory");
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;" ::: "memory");
  }
#endif
  out[threadIdx.x] = threadIdx.x;
}
