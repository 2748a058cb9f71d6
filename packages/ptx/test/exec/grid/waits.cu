// Waits for words of 32 and 64 bits: with several loads, of values that pass, between clusters.
// Those whose names end in _bug are wrong.
//
// nvcc -arch=sm_90a -std=c++17 -ptx waits.cu -o waits.sm90a.ptx
using u64 = unsigned long long;

__device__ unsigned acquire(const unsigned *word) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

template <bool RELEASES> __device__ void signal(unsigned *word, unsigned value) {
  if (RELEASES)
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
  else
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

__device__ u64 now() {
  u64 time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

/// Two looks, then a loop that sleeps the longer the more time has passed, and one more look.
__device__ void patient_wait(const unsigned *word) {
  if (acquire(word) != 0 || acquire(word) != 0) return;
  while (acquire(word) == 0) {
    const u64 begin = now();
    for (int tries = 0; acquire(word) == 0;) {
      if (tries < 8)
        tries++;
      else if (now() - begin > 4000)
        __nanosleep(1000);
    }
  }
}

template <bool RELEASES> __device__ void pass_on(unsigned *word, int *data, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 5;
    signal<RELEASES>(word, 1);
  } else {
    patient_wait(word);
    *out = *data;
  }
}

extern "C" __global__ void patient(unsigned *word, int *data, int *out) {
  pass_on<true>(word, data, out);
}
extern "C" __global__ void patient_bug(unsigned *word, int *data, int *out) {
  pass_on<false>(word, data, out);
}

/// A barrier of the grid that a bit opens, which changes each time: two rounds.
template <bool FENCES> __device__ void flip(unsigned *word, int *data, int *out) {
  for (int round = 0; round < 2; round++) {
    data[round * gridDim.x + blockIdx.x] = round;
    if (FENCES) __threadfence();
    const unsigned most = 0x80000000u - (gridDim.x - 1);
    const unsigned before = atomicAdd(word, blockIdx.x == 0 ? most : 1u);
    while (((before ^ *(volatile unsigned *)word) & 0x80000000u) == 0) {
    }
    __threadfence();
    out[round * gridDim.x + blockIdx.x] = data[round * gridDim.x + (blockIdx.x + 1) % gridDim.x];
  }
}

extern "C" __global__ void sense(unsigned *word, int *data, int *out) {
  if (threadIdx.x == 0) flip<true>(word, data, out);
}
extern "C" __global__ void sense_bug(unsigned *word, int *data, int *out) {
  if (threadIdx.x == 0) flip<false>(word, data, out);
}

/// Block 0 sets a flag and takes it back: behind an answer, or at once.
template <bool ASKS> __device__ void brief(unsigned *word) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    signal<true>(word, 1);
    if (ASKS)
      while (acquire(word + 1) != 1) {
      }
    signal<true>(word, 0);
  } else if (blockIdx.x == 1) {
    while (acquire(word) != 1) {
    }
    signal<true>(word + 1, 1);
  }
}

extern "C" __global__ void taken_back(unsigned *word, int *, int *) { brief<true>(word); }
extern "C" __global__ void taken_back_bug(unsigned *word, int *, int *) { brief<false>(word); }

/// The same word is polled in two rounds, and the answer to the first is not ordered with data.
template <bool FENCES> __device__ void answer(volatile int *word, volatile int *data) {
  if (threadIdx.x != 0) return;
  for (int round = 1; round <= 2; round++) {
    if (blockIdx.x == 0) {
      data[0] = round;
      __threadfence();
      word[0] = round;
      while (word[1] != round) {
      }
      __threadfence();
    } else if (blockIdx.x == 1) {
      while (word[0] != round) {
      }
      __threadfence();
      data[1] = data[0] + 1;
      if (FENCES) __threadfence();
      word[1] = round;
    }
  }
}

extern "C" __global__ void answered(int *word, int *data, int *) { answer<true>(word, data); }
extern "C" __global__ void answered_bug(int *word, int *data, int *) { answer<false>(word, data); }

/// A scan that looks back at words with a flag above a sum.
template <bool STORES_ALL> __device__ void look_back(u64 *word, const int *data, int *out) {
  if (threadIdx.x != 0) return;
  const unsigned own = data[blockIdx.x];
  unsigned before = 0;
  if (blockIdx.x > 0) atomicExch(word + blockIdx.x, (1ull << 32) | own);
  for (int block = blockIdx.x - 1; block >= 0; block--) {
    u64 found;
    do
      found = *(volatile u64 *)(word + block);
    while (STORES_ALL ? found >> 32 == 0 : found >> 32 != 2);
    before += (unsigned)found;
    if (found >> 32 == 2) break;
  }
  if (STORES_ALL || blockIdx.x != 1) atomicExch(word + blockIdx.x, (2ull << 32) | (own + before));
  out[blockIdx.x] = before;
}

extern "C" __global__ void wide(u64 *word, const int *data, int *out) {
  look_back<true>(word, data, out);
}
extern "C" __global__ void wide_bug(u64 *word, const int *data, int *out) {
  look_back<false>(word, data, out);
}

/// One half of a word of 64 bits is stored by itself.
extern "C" __global__ void halves(u64 *word, int *, int *) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) signal<true>((unsigned *)word, 1);
  if (blockIdx.x == 1)
    while (*(volatile u64 *)word == 0) {
    }
}

__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

/// The last blocks of two clusters pass data on, each behind the barrier of its cluster.
template <bool IS_WIDE> __device__ void across(unsigned *word, int *data, int *out) {
  if (blockIdx.x == 0) data[threadIdx.x] = threadIdx.x;
  meet();
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    if (IS_WIDE)
      signal<true>(word, 1);
    else
      asm volatile("st.release.cluster.global.u32 [%0], %1;" ::"l"(word), "r"(1u) : "memory");
  }
  if (blockIdx.x == 3) {
    if (threadIdx.x == 0)
      while (acquire(word) != 1) {
      }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
  }
  meet();
}

extern "C" __global__ void __cluster_dims__(2) clusters(unsigned *word, int *data, int *out) {
  across<true>(word, data, out);
}
extern "C" __global__ void __cluster_dims__(2) clusters_bug(unsigned *word, int *data, int *out) {
  across<false>(word, data, out);
}
