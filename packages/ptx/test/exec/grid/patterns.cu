// Protocols between blocks as kernels use them: a stream-K reduction, barriers of the grid by count
// and generation, a tile scheduler that resets its counter. Those whose names end in _bug are wrong.
//
// nvcc -arch=sm_90a -std=c++17 -ptx patterns.cu -o patterns.sm90a.ptx

/// Stream-K: blocks that have done a part of a tile store it and set their flag; the first block of
/// the tile waits for all of them and adds up.
template <bool is_fenced, bool waits, int missing>
__device__ void stream_k(float *out, float *parts, int *flags, int of_tile) {
  const int tile = blockIdx.x / of_tile, part = blockIdx.x % of_tile;
  float sum = blockIdx.x + threadIdx.x;
  if (part > 0) {
    parts[blockIdx.x * 64 + threadIdx.x] = sum;
    if (is_fenced) __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&flags[blockIdx.x], 1);
    return;
  }
  for (int peer = 1; peer < of_tile - missing; peer++) {
    const int block = tile * of_tile + peer;
    if (threadIdx.x == 0) {
      if (waits)
        while (*(volatile int *)&flags[block] == 0);
      else if (*(volatile int *)&flags[block] == 0)
        __nanosleep(1000);
      if (is_fenced) __threadfence();
    }
    __syncthreads();
    sum += parts[block * 64 + threadIdx.x];
  }
  if (missing > 0) sum += parts[(tile * of_tile + of_tile - 1) * 64 + threadIdx.x];
  out[tile * 64 + threadIdx.x] = sum;
  __syncthreads();
  // For the next launch.
  for (int peer = 1; peer < of_tile - missing; peer++)
    if (threadIdx.x == 0) flags[tile * of_tile + peer] = 0;
}

extern "C" __global__ void streamk(float *out, float *parts, int *flags, int of_tile) {
  stream_k<true, true, 0>(out, parts, flags, of_tile);
}
extern "C" __global__ void streamk_fence_bug(float *out, float *parts, int *flags, int of_tile) {
  stream_k<false, true, 0>(out, parts, flags, of_tile);
}
extern "C" __global__ void streamk_look_bug(float *out, float *parts, int *flags, int of_tile) {
  stream_k<true, false, 0>(out, parts, flags, of_tile);
}
extern "C" __global__ void streamk_peers_bug(float *out, float *parts, int *flags, int of_tile) {
  stream_k<true, true, 1>(out, parts, flags, of_tile);
}

/// A barrier of the grid: the last block to come sets the count back and begins a new generation.
enum Reset { NEVER, FENCED, UNFENCED, LATE };

template <bool is_fenced, Reset reset> __device__ void meet(unsigned *words, unsigned blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    volatile unsigned *generation = words + 1;
    const unsigned old = *generation;
    if (is_fenced) __threadfence();
    if (atomicAdd(words, 1) == blocks - 1) {
      if (is_fenced && reset == UNFENCED) __threadfence();
      if (reset == FENCED || reset == UNFENCED) words[0] = 0;
      if (is_fenced && reset != UNFENCED) __threadfence();
      *generation = old + 1;
      if (reset == LATE) words[0] = 0;
    } else {
      while (*generation == old);
    }
    if (is_fenced) __threadfence();
  }
  __syncthreads();
}

template <bool is_fenced, Reset reset>
__device__ void shift(float *data, float *out, unsigned *words, unsigned blocks) {
  const unsigned me = blockIdx.x * 64 + threadIdx.x, all = gridDim.x * 64;
  data[me] = me;
  meet<is_fenced, reset>(words, blocks);
  out[me] = data[(me + 64) % all];
  meet<is_fenced, reset>(words, blocks);
  data[me] = out[(me + 64) % all];
}

extern "C" __global__ void barrier(float *data, float *out, unsigned *words) {
  shift<true, FENCED>(data, out, words, gridDim.x);
}
extern "C" __global__ void barrier_fence_bug(float *data, float *out, unsigned *words) {
  shift<false, FENCED>(data, out, words, gridDim.x);
}
extern "C" __global__ void barrier_reset_bug(float *data, float *out, unsigned *words) {
  shift<true, NEVER>(data, out, words, gridDim.x);
}
extern "C" __global__ void barrier_unfenced_bug(float *data, float *out, unsigned *words) {
  shift<true, UNFENCED>(data, out, words, gridDim.x);
}
extern "C" __global__ void barrier_late_bug(float *data, float *out, unsigned *words) {
  shift<true, LATE>(data, out, words, gridDim.x);
}
/// The count is that of a grid that has one block more, or one less.
extern "C" __global__ void barrier_many_bug(float *data, float *out, unsigned *words) {
  shift<true, FENCED>(data, out, words, gridDim.x + 1);
}
extern "C" __global__ void barrier_few_bug(float *data, float *out, unsigned *words) {
  shift<true, FENCED>(data, out, words, gridDim.x - 1);
}

/// Tiles are drawn; the last block to find none sets both words back.
template <bool counts> __device__ void schedule(float *out, unsigned *words, int tiles) {
  __shared__ int drawn;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) drawn = atomicAdd(words, 1);
    __syncthreads();
    if (drawn >= tiles) break;
    out[drawn * 64 + threadIdx.x] = drawn;
  }
  if (threadIdx.x != 0) return;
  if (!counts) {
    words[0] = 0;
    return;
  }
  __threadfence();
  if (atomicAdd(words + 1, 1) == gridDim.x - 1) {
    __threadfence();
    words[0] = words[1] = 0;
  }
}

extern "C" __global__ void tiles(float *out, unsigned *words, int tiles) {
  schedule<true>(out, words, tiles);
}
extern "C" __global__ void tiles_reset_bug(float *out, unsigned *words, int tiles) {
  schedule<false>(out, words, tiles);
}
