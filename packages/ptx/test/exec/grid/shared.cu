// Warps that wait for words of shared memory. Those whose names end in _bug are wrong.
//
// nvcc -arch=sm_90a -std=c++17 -ptx shared.cu -o shared.sm90a.ptx
struct Right {
  static constexpr bool begins = true, meets = true, fences = true, signals = true, frees = true;
};
struct Unbegun : Right {
  static constexpr bool begins = false;
};
struct Unmet : Right {
  static constexpr bool meets = false;
};
struct Unfenced : Right {
  static constexpr bool fences = false;
};
struct Silent : Right {
  static constexpr bool signals = false;
};
struct Held : Right {
  static constexpr bool frees = false;
};

/// A warp fills a tile and says so with a volatile flag.
template <class T> __device__ void hand_over(int *out) {
  __shared__ volatile int flag;
  __shared__ int tile[32];
  if (T::begins && threadIdx.x == 0) flag = 0;
  if (T::meets) __syncthreads();
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = threadIdx.x;
    __syncwarp();
    if (T::fences) __threadfence_block();
    if (T::signals && threadIdx.x == 0) flag = 1;
  } else {
    while (flag == 0) {
    }
    __threadfence_block();
    out[threadIdx.x] = tile[threadIdx.x - 32];
  }
}

/// Warps count in turn what they hold a lock for.
template <class T> __device__ void count(int *out) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = sum = 0;
  if (T::meets) __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    if (T::fences) __threadfence_block();
    sum++;
    __threadfence_block();
    if (T::frees) atomicExch(&lock, 0);
  }
  __syncthreads();
  out[threadIdx.x] = sum;
}

/// Two stages, each with a number of how often it was filled, and of how often emptied.
template <class T> __device__ void pass(int *out, int rounds) {
  __shared__ int tile[2][32];
  __shared__ volatile int full[2], empty[2];
  if (threadIdx.x < 2) {
    full[threadIdx.x] = 0;
    empty[threadIdx.x] = 0;
  }
  __syncthreads();
  for (int round = 0; round < rounds; round++) {
    const int stage = round % 2, lap = round / 2;
    if (threadIdx.x < 32) {
      if (T::frees)
        while (empty[stage] < lap) {
        }
      __threadfence_block();
      tile[stage][threadIdx.x] = round;
      __threadfence_block();
      __syncwarp();
      if (threadIdx.x == 0) full[stage] = lap + 1;
    } else {
      while (full[stage] < lap + 1) {
      }
      __threadfence_block();
      out[round * 32 + threadIdx.x - 32] = tile[stage][threadIdx.x - 32];
      __threadfence_block();
      __syncwarp();
      if (threadIdx.x == 32) empty[stage] = lap + 1;
    }
  }
}

/// Both flags are set back by one store of two words, which is not followed.
__device__ void set_back(int *out) {
  __shared__ alignas(8) volatile int flag[2];
  if (threadIdx.x < 2) flag[threadIdx.x] = 0;
  __syncthreads();
  for (int round = 0; round < 2; round++) {
    if (threadIdx.x == 0) flag[1] = 1;
    if (threadIdx.x == 32)
      while (flag[1] == 0) {
      }
    __syncthreads();
    if (threadIdx.x == 0) *(volatile long long *)flag = 0;
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

#define KERNEL(name, ...) \
  extern "C" __global__ void name(int *out) { __VA_ARGS__; }

KERNEL(flag, hand_over<Right>(out))
KERNEL(flag_begin_bug, hand_over<Unbegun>(out))
KERNEL(flag_meet_bug, hand_over<Unmet>(out))
KERNEL(flag_fence_bug, hand_over<Unfenced>(out))
KERNEL(flag_silent_bug, hand_over<Silent>(out))
KERNEL(lock, count<Right>(out))
KERNEL(lock_meet_bug, count<Unmet>(out))
KERNEL(lock_fence_bug, count<Unfenced>(out))
KERNEL(lock_held_bug, count<Held>(out))
KERNEL(ring, pass<Right>(out, 6))
KERNEL(ring_bug, pass<Held>(out, 6))
KERNEL(both, set_back(out))
