// Blocks that share work: tiles drawn from a counter, sums by the last block of a tile, a scan that
// looks back, polls by atomic operations. Those whose names end in _bug are wrong.
//
// nvcc -arch=sm_90a -std=c++17 -ptx work.cu -o work.sm90a.ptx

/// A block draws its next tile; thread 0 tells the others through shared memory.
template <bool meets_again, int rows>
__device__ void draw(float *out, const float *in, int *next, int tiles) {
  __shared__ int drawn;
  for (;;) {
    if (threadIdx.x == 0) drawn = atomicAdd(next, 1);
    __syncthreads();
    const int tile = drawn;
    if (meets_again) __syncthreads();
    if (tile >= tiles) break;
    out[tile / rows * 64 + threadIdx.x] = 2 * in[tile * 64 + threadIdx.x];
  }
}

extern "C" __global__ void draws(float *out, const float *in, int *next, int tiles) {
  draw<true, 1>(out, in, next, tiles);
}
extern "C" __global__ void draws_early_bug(float *out, const float *in, int *next, int tiles) {
  draw<false, 1>(out, in, next, tiles);
}
extern "C" __global__ void draws_rows_bug(float *out, const float *in, int *next, int tiles) {
  draw<true, 2>(out, in, next, tiles);
}

/// The first tile is the block's own; it draws the next one while it works.
extern "C" __global__ void draws_ahead(float *out, const float *in, int *next, int tiles) {
  __shared__ int drawn;
  for (int tile = blockIdx.x; tile < tiles;) {
    if (threadIdx.x == 0) drawn = atomicAdd(next, 1) + gridDim.x;
    out[tile * 64 + threadIdx.x] = 2 * in[tile * 64 + threadIdx.x];
    __syncthreads();
    tile = drawn;
    __syncthreads();
  }
}

/// Several blocks share a tile; the last one of each adds up what all have stored.
template <bool is_fenced, bool meets>
__device__ void add_up(float *out, float *parts, int *counts, int of_tile) {
  __shared__ bool is_last;
  const int tile = blockIdx.x / of_tile;
  parts[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (is_fenced) __threadfence();
  if (meets) __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&counts[tile], 1) == of_tile - 1;
  __syncthreads();
  if (!is_last) return;
  if (is_fenced) __threadfence();
  float sum = 0;
  for (int part = 0; part < of_tile; part++)
    sum += parts[(tile * of_tile + part) * 64 + threadIdx.x];
  out[tile * 64 + threadIdx.x] = sum;
  if (threadIdx.x == 0) counts[tile] = 0;
}

extern "C" __global__ void sums(float *out, float *parts, int *counts, int of_tile) {
  add_up<true, true>(out, parts, counts, of_tile);
}
extern "C" __global__ void sums_fence_bug(float *out, float *parts, int *counts, int of_tile) {
  add_up<false, true>(out, parts, counts, of_tile);
}
extern "C" __global__ void sums_meet_bug(float *out, float *parts, int *counts, int of_tile) {
  add_up<true, false>(out, parts, counts, of_tile);
}

/// A scan: a block adds up what the blocks before it say of themselves, or of all before them.
template <bool is_fenced, bool flag_last>
__device__ void look_back(volatile int *flags, volatile int *own, volatile int *all, int *out) {
  __shared__ int before;
  const int block = blockIdx.x, value = 1 + block;
  if (threadIdx.x == 0) {
    int sum = 0;
    if (block > 0) {
      if (!flag_last) flags[block] = 1;
      own[block] = value;
      if (is_fenced) __threadfence();
      if (flag_last) flags[block] = 1;
      for (int other = block - 1;; other--) {
        int flag;
        do flag = flags[other];
        while (flag == 0);
        if (is_fenced) __threadfence();
        sum += flag == 2 ? all[other] : own[other];
        if (flag == 2) break;
      }
    }
    all[block] = sum + value;
    if (is_fenced) __threadfence();
    flags[block] = 2;
    before = sum;
  }
  __syncthreads();
  out[block * 64 + threadIdx.x] = before;
}

extern "C" __global__ void scan(int *flags, int *own, int *all, int *out) {
  look_back<true, true>(flags, own, all, out);
}
extern "C" __global__ void scan_fence_bug(int *flags, int *own, int *all, int *out) {
  look_back<false, true>(flags, own, all, out);
}
extern "C" __global__ void scan_flag_bug(int *flags, int *own, int *all, int *out) {
  look_back<true, false>(flags, own, all, out);
}

/// Block 0 stores what the others wait for by atomic operations that change nothing.
template <int kind, bool is_fenced> __device__ void poll(int *data, int *flag) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    if (is_fenced) __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(flag, 1);
    return;
  }
  if (threadIdx.x == 0) {
    if (kind == 0)
      while (atomicAdd(flag, 0) == 0);
    else if (kind == 1)
      while (atomicCAS(flag, 1, 1) != 1);
    else
      while (atomicOr(flag, 0) == 0);
    if (is_fenced) __threadfence();
  }
  __syncthreads();
  data[64 * blockIdx.x + threadIdx.x] = data[threadIdx.x];
}

extern "C" __global__ void polls_add(int *data, int *flag) { poll<0, true>(data, flag); }
extern "C" __global__ void polls_add_bug(int *data, int *flag) { poll<0, false>(data, flag); }
extern "C" __global__ void polls_cas(int *data, int *flag) { poll<1, true>(data, flag); }
extern "C" __global__ void polls_or(int *data, int *flag) { poll<2, true>(data, flag); }
