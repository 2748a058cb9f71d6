// What an SM issues and a GPU moves when many warps compete: bench/h200/throughput.csv. Build and run:
//   nvcc -arch=sm_90a -O3 -std=c++17 -o throughput bench/cuda/throughput.cu && ./throughput > throughput.csv
// Each row is the median of 12 graphs of 20 launches, in nanoseconds of one launch. The columns: what
// is measured, blocks, threads of each, its size (bytes of the working set, or instructions of a
// thread), nanoseconds.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <vector>

#define CHECK(call)                                                               \
  do {                                                                            \
    const cudaError_t error = (call);                                             \
    if (error != cudaSuccess) {                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(2);                                                                    \
    }                                                                             \
  } while (0)

constexpr int LAUNCHES = 20, RUNS = 12, ROUNDS = 64, UNROLLED = 16, CHAINS = 4;

static cudaStream_t stream;

static void row(const char *what, int blocks, int threads, long long size, const std::function<void()> &launch) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < LAUNCHES; i++) launch();
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  std::vector<float> times;
  for (int run = 0; run <= RUNS; run++) {
    CHECK(cudaEventRecord(begin, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    float milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (run > 0) times.push_back(milliseconds);
  }
  std::sort(times.begin(), times.end());
  printf("%s,%d,%d,%lld,%.1f\n", what, blocks, threads, size, times[RUNS / 2] * 1e6 / LAUNCHES);
  fflush(stdout);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

/** INSTRUCTION(name, code): one instruction on the chain `i` of a thread; `shared` is its own word. */
#define INSTRUCTION(name, code)                                                                   \
  __global__ void name(uint32_t *out, uint32_t seed) {                                            \
    __shared__ uint32_t words[4096];                                                              \
    uint32_t shared = static_cast<uint32_t>(__cvta_generic_to_shared(words + 4 * threadIdx.x % 4096)); \
    const uint32_t same = static_cast<uint32_t>(__cvta_generic_to_shared(words));                 \
    uint32_t x[CHAINS], y[CHAINS], z[CHAINS], w[CHAINS];                                          \
    float f[CHAINS];                                                                              \
    double d[CHAINS];                                                                             \
    for (int i = 0; i < CHAINS; i++)                                                              \
      x[i] = seed + i, y[i] = seed * 3, z[i] = seed ^ 5, w[i] = seed + 7, f[i] = seed + i, d[i] = seed + i; \
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = seed;                         \
    __syncthreads();                                                                              \
    for (int round = 0; round < ROUNDS; round++) {                                                \
      _Pragma("unroll") for (int step = 0; step < UNROLLED; step++)                               \
        _Pragma("unroll") for (int i = 0; i < CHAINS; i++) { code; }                              \
    }                                                                                             \
    uint32_t sum = shared + same;                                                                 \
    for (int i = 0; i < CHAINS; i++) sum += x[i] + y[i] + z[i] + w[i] + __float_as_uint(f[i]) + static_cast<uint32_t>(d[i]); \
    if (sum == 0x12345678u) out[threadIdx.x] = sum;                                               \
  }

INSTRUCTION(fma, asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f[i])))
INSTRUCTION(add_f32, asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(f[i])))
INSTRUCTION(add_s32, asm volatile("add.s32 %0, %0, %1;" : "+r"(x[i]) : "r"(y[i])))
INSTRUCTION(mad_s32, asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x[i]) : "r"(y[i]), "r"(z[i])))
INSTRUCTION(mad_wide, asm volatile("{.reg .u64 t; cvt.u64.u32 t, %0; mad.wide.u32 t, %0, %1, t; cvt.u32.u64 %0, t;}" : "+r"(x[i]) : "r"(y[i])))
INSTRUCTION(lop3, asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x[i]) : "r"(y[i]), "r"(z[i])))
INSTRUCTION(shift, asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(x[i]) : "r"(y[i]), "r"(z[i])))
INSTRUCTION(choose, asm volatile("{.reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, %2, p;}" : "+r"(x[i]) : "r"(y[i]), "r"(z[i])))
INSTRUCTION(min_f32, asm volatile("min.f32 %0, %0, %1;" : "+f"(f[i]) : "f"(__uint_as_float(y[i]))))
INSTRUCTION(fma_add, if (step % 2) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f[i])); else asm volatile("add.s32 %0, %0, %1;" : "+r"(x[i]) : "r"(y[i])))
INSTRUCTION(ex2, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(f[i])))
INSTRUCTION(rcp_rn, asm volatile("rcp.rn.f32 %0, %0;" : "+f"(f[i])))
INSTRUCTION(div_rn, asm volatile("div.rn.f32 %0, %0, %1;" : "+f"(f[i]) : "f"(__uint_as_float(0x3f800000u + y[i]))))
INSTRUCTION(div_s32, asm volatile("div.s32 %0, %0, %1;" : "+r"(x[i]) : "r"(y[i] + 3)))
INSTRUCTION(div_u32, asm volatile("div.u32 %0, %0, %1;" : "+r"(x[i]) : "r"(y[i] + 3)))
INSTRUCTION(sqrt_rn, asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(f[i])))
INSTRUCTION(popc, asm volatile("popc.b32 %0, %0;" : "+r"(x[i])))
INSTRUCTION(cvt_f32_s32, asm volatile("{.reg .s32 t; cvt.rzi.s32.f32 t, %0; cvt.rn.f32.s32 %0, t;}" : "+f"(f[i])))
INSTRUCTION(cvt_half, asm volatile("{.reg .b16 t; cvt.rn.f16.f32 t, %0; cvt.f32.f16 %0, t;}" : "+f"(f[i])))
INSTRUCTION(fma_half2, asm volatile("fma.rn.f16x2 %0, %0, %0, %0;" : "+r"(x[i])))
INSTRUCTION(fma_f64, asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(d[i])))
INSTRUCTION(vote, asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;}" : "+r"(x[i])))
INSTRUCTION(redux, asm volatile("redux.sync.add.u32 %0, %0, 0xffffffff;" : "+r"(x[i])))
INSTRUCTION(atom_shared, asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(same + 4 * (threadIdx.x % 1024)), "r"(y[i]) : "memory"))
INSTRUCTION(atom_shared_same, asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(same), "r"(y[i]) : "memory"))
INSTRUCTION(atom_shared_float, asm volatile("{.reg .f32 t; atom.shared.add.f32 t, [%0], %1;}" ::"r"(same + 4 * (threadIdx.x % 1024)), "f"(f[i]) : "memory"))
INSTRUCTION(mma_f16, asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %5, %5}, {%4, %5}, {%0, %1, %2, %3};" : "+r"(x[i]), "+r"(y[i]), "+r"(z[i]), "+r"(w[i]) : "r"(seed), "r"(same)))
INSTRUCTION(mma_tf32, asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %5, %5}, {%4, %5}, {%0, %1, %2, %3};" : "+r"(x[i]), "+r"(y[i]), "+r"(z[i]), "+r"(w[i]) : "r"(seed), "r"(same)))
INSTRUCTION(mma_s8, asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4, %5, %5}, {%4, %5}, {%0, %1, %2, %3};" : "+r"(x[i]), "+r"(y[i]), "+r"(z[i]), "+r"(w[i]) : "r"(seed), "r"(same)))
INSTRUCTION(mma_f64, asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d[i]), "+d"(d[(i + 1) % CHAINS]) : "d"(d[(i + 2) % CHAINS]), "d"(d[(i + 3) % CHAINS])))
INSTRUCTION(barrier, __syncthreads(); x[i]++)

__global__ void nothing() {}

/** Each thread loads words `stride` apart, over and over; the first of a line decides which level. */
template <class Word> __global__ void load(const Word *from, uint32_t *out, long long words, int stride, int rounds) {
  uint32_t sum = 0;
  const long long all = static_cast<long long>(gridDim.x) * blockDim.x;
  long long at = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) * stride % words;
  for (int round = 0; round < rounds; round += 4) {
    Word word[4];
    for (int i = 0; i < 4; i++) {
      asm volatile("" ::: "memory");
      word[i] = __ldcg(from + at);
      at += all * stride;
      if (at >= words) at %= words;
    }
    for (int i = 0; i < 4; i++) sum += reinterpret_cast<const uint32_t *>(word + i)[0];
  }
  if (sum == 0x12345678u) out[0] = sum;
}
template <class Word> __global__ void store(Word *to, long long words, int rounds) {
  const long long all = static_cast<long long>(gridDim.x) * blockDim.x;
  long long at = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) % words;
  Word word;
  reinterpret_cast<uint32_t *>(&word)[0] = threadIdx.x;
  for (int round = 0; round < rounds; round++, at = (at + all) % words) to[at] = word;
}
/** An element for each thread: a kernel as users write it. */
__global__ void copy(const float *from, float *to, long long words) {
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < words) to[at] = from[at];
}
__global__ void copy4(const float4 *from, float4 *to, long long words) {
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < words) to[at] = from[at];
}
__global__ void add(const float *one, const float *other, float *to, long long words) {
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < words) to[at] = one[at] + other[at];
}
__global__ void cached(const float *from, float *to, int rounds) {
  float sum = 0;
  for (int round = 0; round < rounds; round += 8)
    for (int i = 0; i < 8; i++) sum += __ldca(from + ((threadIdx.x + 32 * (round + i)) & 4095));
  if (sum == 1.5f) to[0] = sum;
}
__global__ void add_same(uint32_t *to, int rounds) {
  for (int round = 0; round < rounds; round++) atomicAdd(to, 1u);
}
__global__ void add_same_float(float *to, int rounds) {
  for (int round = 0; round < rounds; round++) atomicAdd(to, 1.0f);
}
__global__ void add_own(float *to, int words, int rounds) {
  for (int round = 0; round < rounds; round++)
    atomicAdd(to + (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x + 1024 * round) % words, 1.0f);
}

int main() {
  CHECK(cudaStreamCreate(&stream));
  int sms = 0;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  uint32_t *out;
  CHECK(cudaMalloc(&out, 1 << 20));
  const long long most = 1ll << 31;
  float *one, *other, *to;
  CHECK(cudaMalloc(&one, most));
  CHECK(cudaMalloc(&other, most / 2));
  CHECK(cudaMalloc(&to, most));
  CHECK(cudaMemset(one, 0, most));
  CHECK(cudaMemset(other, 0, most / 2));
  printf("what,blocks,threads,size,nanoseconds\n");
  for (int threads : {32, 128, 256, 512, 1024})
    for (int blocks : {1, 132, 264, 1056, 2112, 8448, 33792, 135168, 1081344})
      row("nothing", blocks, threads, 0, [&] { nothing<<<blocks, threads, 0, stream>>>(); });
  const int per = ROUNDS * UNROLLED * CHAINS;
#define MEASURE(name) \
  for (int threads : {128, 256, 512, 1024}) row(#name, sms, threads, per, [&] { name<<<sms, threads, 0, stream>>>(out, 0); });
  MEASURE(fma) MEASURE(add_f32) MEASURE(add_s32) MEASURE(mad_s32) MEASURE(mad_wide) MEASURE(lop3) MEASURE(shift) MEASURE(choose)
  MEASURE(min_f32) MEASURE(fma_add) MEASURE(ex2) MEASURE(rcp_rn) MEASURE(div_rn) MEASURE(div_s32) MEASURE(div_u32)
  MEASURE(sqrt_rn) MEASURE(popc) MEASURE(cvt_f32_s32) MEASURE(cvt_half) MEASURE(fma_half2) MEASURE(fma_f64)
  MEASURE(vote) MEASURE(redux)
  MEASURE(atom_shared) MEASURE(atom_shared_same) MEASURE(atom_shared_float)
  MEASURE(mma_f16) MEASURE(mma_tf32) MEASURE(mma_s8) MEASURE(mma_f64) MEASURE(barrier)
  for (long long bytes : {1ll << 20, 4ll << 20, 16ll << 20, 24ll << 20, 32ll << 20, 40ll << 20, 48ll << 20, 64ll << 20, 128ll << 20, 512ll << 20, 2048ll << 20}) {
    const int blocks = sms * 2, threads = 1024;
    const int rounds = std::max<long long>(8, std::min<long long>(bytes / 4 / blocks / threads, 1024)) / 4 * 4;
    row("load_u32", blocks, threads, bytes, [&] { load<uint32_t><<<blocks, threads, 0, stream>>>(reinterpret_cast<uint32_t *>(one), out, bytes / 4, 1, rounds); });
    row("load_v4", blocks, threads, bytes, [&] { load<uint4><<<blocks, threads, 0, stream>>>(reinterpret_cast<uint4 *>(one), out, bytes / 16, 1, std::max(8, rounds / 4)); });
    row("load_u32_stride_8", blocks, threads, bytes, [&] { load<uint32_t><<<blocks, threads, 0, stream>>>(reinterpret_cast<uint32_t *>(one), out, bytes / 4, 8, std::max(8, rounds / 8)); });
    row("store_u32", blocks, threads, bytes, [&] { store<uint32_t><<<blocks, threads, 0, stream>>>(reinterpret_cast<uint32_t *>(to), bytes / 4, rounds); });
    row("store_v4", blocks, threads, bytes, [&] { store<uint4><<<blocks, threads, 0, stream>>>(reinterpret_cast<uint4 *>(to), bytes / 16, std::max(8, rounds / 4)); });
    const long long words = bytes / 4;
    for (int of : {128, 256, 512, 1024}) {
      row("copy", (words + of - 1) / of, of, bytes, [&] { copy<<<(words + of - 1) / of, of, 0, stream>>>(one, to, words); });
      row("copy_v4", (words / 4 + of - 1) / of, of, bytes, [&] { copy4<<<(words / 4 + of - 1) / of, of, 0, stream>>>(reinterpret_cast<float4 *>(one), reinterpret_cast<float4 *>(to), words / 4); });
      if (bytes <= most / 2)
        row("add", (words + of - 1) / of, of, bytes, [&] { add<<<(words + of - 1) / of, of, 0, stream>>>(one, other, to, words); });
    }
  }
  for (int threads : {32, 128, 256, 512, 1024}) row("cached", sms, threads, 1024, [&] { cached<<<sms, threads, 0, stream>>>(one, to, 1024); });
  for (int blocks : {1, 132, 1056})
    for (int threads : {32, 256, 1024}) {
      row("add_same", blocks, threads, 16, [&] { add_same<<<blocks, threads, 0, stream>>>(out, 16); });
      row("add_same_float", blocks, threads, 16, [&] { add_same_float<<<blocks, threads, 0, stream>>>(to, 16); });
      row("add_own", blocks, threads, 16, [&] { add_own<<<blocks, threads, 0, stream>>>(to, 1 << 22, 16); });
    }
  return 0;
}
