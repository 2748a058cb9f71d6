// What flags between blocks carry: writes of other threads, of copies, and of blocks before. Those
// whose names end in _bug are wrong.
//
// nvcc -arch=sm_90a -std=c++17 -ptx carried.cu -o carried.sm90a.ptx
#include <cstdint>

__device__ int acquire(const int *flag) {
  int value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
__device__ int look(const int *flag) {
  int value;
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
__device__ void release(int *flag) {
  asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(flag) : "memory");
}
__device__ void add(int *flag) {
  asm volatile("red.relaxed.gpu.global.add.s32 [%0], 1;" ::"l"(flag) : "memory");
}

/// The last block to draw a number adds up, and sets the count back without a fence behind its draw.
template <bool is_fenced> __device__ void add_up(volatile int *parts, int *out, unsigned *count) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = blockIdx.x;
    if (is_fenced) __threadfence();
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x > 0) return;
  int sum = 0;
  for (int block = 0; block < gridDim.x; block++) sum += parts[block];
  *out = sum;
  *count = 0;
}

extern "C" __global__ void sums(int *data, int *out, int *flags) {
  add_up<true>(data, out, (unsigned *)flags);
}
extern "C" __global__ void sums_fence_bug(int *data, int *out, int *flags) {
  add_up<false>(data, out, (unsigned *)flags);
}

/// Block 1 passes on to block 2 what block 0 has written.
template <bool acquires, bool releases> __device__ void pass_on(int *data, int *out, int *flags) {
  const int block = blockIdx.x;
  if (block == 0) data[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0 && block == 1)
    while ((acquires ? acquire(flags) : look(flags)) == 0) {
    }
  if (threadIdx.x == 0 && block == 2)
    while (acquire(flags + 1) == 0) {
    }
  __syncthreads();
  if (block == 2)
    out[threadIdx.x] = data[threadIdx.x];
  else if (threadIdx.x == 0) {
    if (block == 0 || releases)
      release(flags + block);
    else
      add(flags + block);
  }
}

extern "C" __global__ void chain(int *data, int *out, int *flags) {
  pass_on<true, true>(data, out, flags);
}
extern "C" __global__ void chain_release_bug(int *data, int *out, int *flags) {
  pass_on<true, false>(data, out, flags);
}
extern "C" __global__ void chain_acquire_bug(int *data, int *out, int *flags) {
  pass_on<false, true>(data, out, flags);
}

/// Block 1 stores by a copy, which is over before it signals.
template <bool releases> __device__ void store(int *data, int *out, int *flags) {
  __shared__ __align__(16) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    const uint32_t from = (uint32_t)__cvta_generic_to_shared(tile);
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(data), "r"(from)
        : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    if (releases)
      release(flags);
    else
      add(flags);
  }
  if (blockIdx.x != 0) return;
  if (threadIdx.x == 0)
    while (acquire(flags) == 0) {
    }
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}

extern "C" __global__ void copied(int *data, int *out, int *flags) { store<true>(data, out, flags); }
extern "C" __global__ void copied_release_bug(int *data, int *out, int *flags) {
  store<false>(data, out, flags);
}

/// Some warps of a block fence and meet; one of their threads signals for all, or waits for all.
template <bool is_fenced> __device__ void meet(int *data, int *out, int *flags) {
  if (threadIdx.x >= 64) return;
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    if (is_fenced) __threadfence();
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 0) add(flags);
    return;
  }
  if (threadIdx.x == 0)
    while (look(flags) == 0) {
    }
  asm volatile("bar.sync 1, 64;" ::: "memory");
  __threadfence();
  out[threadIdx.x] = data[threadIdx.x];
}

extern "C" __global__ void part(int *data, int *out, int *flags) { meet<true>(data, out, flags); }
extern "C" __global__ void part_fence_bug(int *data, int *out, int *flags) {
  meet<false>(data, out, flags);
}
