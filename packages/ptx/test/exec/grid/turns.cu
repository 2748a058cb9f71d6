// Blocks that wait for one another: locks, semaphores, barriers of the grid. Those whose names end
// in _bug are wrong.
//
// nvcc -arch=sm_90a -std=c++17 -ptx turns.cu -o turns.sm90a.ptx
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct Right {
  static constexpr bool is_fenced = true, meets = true, frees = true;
};
struct Unfenced : Right {
  static constexpr bool is_fenced = false;
};
struct Unmet : Right {
  static constexpr bool meets = false;
};
struct Held : Right {
  static constexpr bool frees = false;
};

/// All threads add to a sum; thread 0 frees the lock that it has taken.
template <class T> __device__ void add_and_free(float *sum, const float *part, int *lock) {
  sum[threadIdx.x] += part[blockIdx.x * blockDim.x + threadIdx.x];
  if (T::is_fenced) __threadfence();
  if (T::meets) __syncthreads();
  if (T::frees && threadIdx.x == 0) atomicExch(lock, 0);
}

/// One thread tries again and again.
template <class T> __device__ void spin(float *sum, const float *part, int *lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  add_and_free<T>(sum, part, lock);
}

/// It pauses, longer each time, before it tries again.
template <class T> __device__ void pause(float *sum, const float *part, int *lock) {
  if (threadIdx.x == 0) {
    unsigned wait = 8;
    while (atomicExch(lock, 1) != 0) {
      __nanosleep(wait);
      if (wait < 256) wait *= 2;
    }
    __threadfence();
  }
  __syncthreads();
  add_and_free<T>(sum, part, lock);
}

/// The whole block tries again: thread 0 tells the others through shared memory.
template <class T> __device__ void together(float *sum, const float *part, int *lock) {
  __shared__ int found;
  do {
    __syncthreads();
    if (threadIdx.x == 0) {
      found = atomicCAS(lock, 0, 1);
      __threadfence();
    }
    __syncthreads();
  } while (found != 0);
  add_and_free<T>(sum, part, lock);
}

/// Blocks add to a tile in their order: a block waits until the word holds its number.
template <bool acquires, bool releases, int next>
__device__ void serial(float *tile, const float *part, int *word) {
  const int turn = blockIdx.x;
  int state = -1;
  auto look = [&] {
    if (acquires)
      asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(state) : "l"(word));
    else
      asm volatile("ld.global.relaxed.gpu.b32 %0, [%1];" : "=r"(state) : "l"(word));
  };
  float sum = part[blockIdx.x * blockDim.x + threadIdx.x];
  if (threadIdx.x == 0) look();
  while (__syncthreads_and(state != turn))
    if (threadIdx.x == 0) look();
  __syncthreads();
  if (turn > 0) sum += tile[threadIdx.x];
  tile[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (releases)
    asm volatile("st.global.release.gpu.b32 [%0], %1;" ::"l"(word), "r"(turn + next));
  else
    asm volatile("st.global.relaxed.gpu.b32 [%0], %1;" ::"l"(word), "r"(turn + next));
}

/// The same, where a block looks before it works, as the semaphore of CUTLASS does.
template <bool waits> __device__ void ahead(float *tile, const float *part, int *word) {
  const int turn = blockIdx.x;
  int state = -1;
  auto look = [&] {
    if (threadIdx.x == 0)
      asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(state) : "l"(word));
  };
  look();
  float sum = 0;
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(sum) : "l"(waits ? part : tile + threadIdx.x));
  while (__syncthreads_and(state != turn)) look();
  __syncthreads();
  if (turn > 0 && waits) sum += tile[threadIdx.x];
  tile[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("st.global.release.gpu.b32 [%0], %1;" ::"l"(word), "r"(turn + 1));
}

/// Thread t of a block waits for block t.
template <bool meets, bool releases> __device__ void all(float *sum, const float *, int *flags) {
  const int thread = threadIdx.x, blocks = gridDim.x;
  sum[blockIdx.x * blockDim.x + thread] = thread;
  __syncthreads();
  if (thread < blocks) {
    int *own = flags + thread * blocks + blockIdx.x, *other = flags + blockIdx.x * blocks + thread;
    int found;
    if (releases)
      asm volatile("st.release.gpu.global.b32 [%0], 1;" ::"l"(own) : "memory");
    else
      asm volatile("st.relaxed.gpu.global.b32 [%0], 1;" ::"l"(own) : "memory");
    do asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(found) : "l"(other) : "memory");
    while (found == 0);
  }
  if (meets) __syncthreads();
  float all = 0;
  for (int block = 0; block < blocks; block++) all += sum[block * blockDim.x + thread];
  sum[(blocks + blockIdx.x) * blockDim.x + thread] = all;
}

#define KERNEL(name, body)                                                       \
  extern "C" __global__ void name(float *sum, const float *part, int *word) {    \
    (body)(sum, part, word);                                                       \
  }

KERNEL(spin_lock, spin<Right>)
KERNEL(spin_lock_fence_bug, spin<Unfenced>)
KERNEL(spin_lock_meet_bug, spin<Unmet>)
KERNEL(spin_lock_held_bug, spin<Held>)
KERNEL(pausing_lock, pause<Right>)
KERNEL(block_lock, together<Right>)
KERNEL(serial_sum, (serial<true, true, 1>))
KERNEL(serial_sum_acquire_bug, (serial<false, true, 1>))
KERNEL(serial_sum_release_bug, (serial<true, false, 1>))
KERNEL(serial_sum_number_bug, (serial<true, true, 2>))
KERNEL(ahead_sum, ahead<true>)
KERNEL(ahead_sum_early_bug, ahead<false>)
KERNEL(flags_all, (all<true, true>))
KERNEL(flags_all_meet_bug, (all<false, true>))
KERNEL(flags_all_release_bug, (all<true, false>))

/// Each block writes, and reads what another one wrote behind a barrier of the grid.
template <class Sync> __device__ void exchange(float *data, float *out, Sync sync) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  data[me] = me;
  sync();
  out[me] = data[all - 1 - me];
  sync();
  data[me] = out[(me + blockDim.x) % all];
}

extern "C" __global__ void grid_sync(float *data, float *out) {
  exchange(data, out, [] { cg::this_grid().sync(); });
}

extern "C" __global__ void grid_sync_block_bug(float *data, float *out) {
  exchange(data, out, [] {
    if (blockIdx.x != 1) cg::this_grid().sync();
  });
}

extern "C" __global__ void grid_sync_thread_bug(float *data, float *out) {
  exchange(data, out, [] {
    if (threadIdx.x < 32) cg::this_grid().sync();
  });
}

__device__ unsigned arrived = 0;

/// A barrier of the grid of its own, for one launch: a variable of the module counts.
template <bool all> __device__ void count(float *data, float *out) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  data[me] = me;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned *)&arrived < gridDim.x - (all ? 0 : 1)) {
    }
    __threadfence();
  }
  __syncthreads();
  out[me] = data[gridDim.x * blockDim.x - 1 - me];
}

extern "C" __global__ void counted(float *data, float *out) { count<true>(data, out); }
extern "C" __global__ void counted_bug(float *data, float *out) { count<false>(data, out); }
