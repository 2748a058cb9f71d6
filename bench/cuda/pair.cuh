// A kernel that is wrong, the same kernel right, and what launches of either leave in global memory.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "device.cuh"

constexpr int WORDS = 64;
constexpr int OUT_WORDS = 1 << 16;

DEVICE int warp() { return threadIdx.x / 32; }
DEVICE int lane() { return threadIdx.x % 32; }

/** Spins for some cycles, which may be none. */
DEVICE void late(int cycles) {
  asm volatile("" ::: "memory");
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  asm volatile("" ::: "memory");
}

/** Waits for a phase, however long it takes. */
DEVICE void wait_for(uint64_t *bar, int parity) {
  while (!try_wait(bar, parity)) {
  }
}

/** A barrier that one thread makes for all of its CTA. */
DEVICE void make(uint64_t *bar, int arrivals) {
  if (threadIdx.x == 0) barrier_init(bar, arrivals);
  fence_init();
  __syncthreads();
}

/** Fills a tile with a word that no input has, before a copy writes it. */
DEVICE void fill(int *tile, int words) {
  for (int i = threadIdx.x; i < words; i += blockDim.x) tile[i] = -1;
  fence_async();
  __syncthreads();
}

using Kernel = void (*)(const int *, int *, int);

struct Pair {
  const char *name;
  Kernel wrong, right;
  int blocks, threads, shared;
};

#define BOTH(kernel) #kernel, kernel<false>, kernel<true>

/** Launches one kernel many times and counts the results that differ from those of the right one without a delay. */
inline int launches_of(const Pair &pair, bool is_right, int delay, int launches) {
  static int host[OUT_WORDS], expected[OUT_WORDS], found[OUT_WORDS];
  int *in = nullptr, *out = nullptr;
  for (int i = 0; i < OUT_WORDS; i++) host[i] = i * 7 + 3;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  const auto launch = [&](Kernel kernel, int cycles, int *to) {
    cudaMemset(out, 0, sizeof host);
    kernel<<<pair.blocks, pair.threads, pair.shared>>>(in, out, cycles);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
      printf("%s\n", cudaGetErrorName(error));
      exit(1);
    }
    cudaMemcpy(to, out, sizeof host, cudaMemcpyDeviceToHost);
  };
  // A launch with nothing to compare is one for a tool that watches this kernel alone.
  if (launches > 0) launch(pair.right, 0, expected);
  else launch(is_right ? pair.right : pair.wrong, delay, found);
  int differ = 0;
  for (int i = 1; i <= launches; i++) {
    fprintf(stderr, "\r%d", i);
    launch(is_right ? pair.right : pair.wrong, delay, found);
    differ += memcmp(expected, found, sizeof found) != 0;
  }
  if (launches > 0) printf("%d of %d wrong\n", differ, launches);
  return 0;
}
