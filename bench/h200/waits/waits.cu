// How a wait ends, by who waits: a lane alone, a lane whose warp has gone apart, whole warps.
//
//   nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -o waits waits.cu && ./waits > waits.csv
//
// One lane issues a bulk copy from L2 and everybody who takes part waits for it with try_wait. Cycles are
// from the issue until lane 0 runs on, by the SM's own clock, over 512 copies after a warm-up.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    cudaError_t e = (call);                                                         \
    if (e != cudaSuccess) {                                                         \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));    \
      exit(2);                                                                      \
    }                                                                               \
  } while (0)

constexpr int COPIES = 512;
constexpr int SHARED_BYTES = 65536;

enum Who { LONE_LANE, LANE_APART, WHOLE_WARPS };

__device__ int hung;

__device__ __forceinline__ uint32_t at(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ bool try_wait(uint64_t *bar, uint32_t parity) {
  uint32_t done;
  asm volatile(
      "{\n.reg .pred p;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(done)
      : "r"(at(bar)), "r"(parity)
      : "memory");
  return done;
}

/** Waits, and answers how often it tried in vain. The bound makes the compiler unroll four tries. */
__device__ __forceinline__ int wait(uint64_t *bar, uint32_t parity) {
  int failed = 0;
  while (!try_wait(bar, parity)) {
    if (++failed > (1 << 24)) {
      hung = 1;
      break;
    }
  }
  return failed;
}

__device__ __forceinline__ void issue(char *to, const char *from, int bytes, uint64_t *bar) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
      "l"(from), "r"(bytes), "r"(at(bar))
      : "memory");
}

extern __shared__ __align__(1024) char buffer[];

template <Who who>
__global__ void waits(const char *source, int bytes, int *cycles, int *failed) {
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&bar)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (who == WHOLE_WARPS || threadIdx.x == 0) {
    for (int i = 0; i < COPIES; i++) {
      long long start = clock64();
      if (threadIdx.x == 0) issue(buffer, source + i % 4 * SHARED_BYTES, bytes, &bar);
      if (who == WHOLE_WARPS) __syncthreads();
      int tries = wait(&bar, i & 1);
      if (threadIdx.x == 0) cycles[i] = clock64() - start, failed[i] = tries;
      if (who == WHOLE_WARPS) __syncthreads();
    }
  }
  // The other lanes of the warp wait here for the one above: the warp has gone apart.
  if (who == LANE_APART) __syncthreads();
}

template <Who who>
void measure(const char *name, int threads, const char *source, int *cycles, int *failed) {
  CHECK(cudaFuncSetAttribute(waits<who>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES));
  for (int bytes : {16, 1024, 4096, 8192, 16384, 32768}) {
    for (int run = 0; run < 2; run++) waits<who><<<1, threads, SHARED_BYTES>>>(source, bytes, cycles, failed);
    CHECK(cudaDeviceSynchronize());
    std::vector<int> took(COPIES), vain(COPIES);
    CHECK(cudaMemcpy(took.data(), cycles, COPIES * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(vain.data(), failed, COPIES * sizeof(int), cudaMemcpyDeviceToHost));
    double sum = 0, tries = 0;
    for (int i = 0; i < COPIES; i++) sum += took[i], tries += vain[i];
    std::set<int> distinct(took.begin(), took.end());
    printf("%s,%d,%d,%.1f,%d,%d,%zu,%.2f\n", name, threads, bytes, sum / COPIES, *distinct.begin(),
           *distinct.rbegin(), distinct.size(), tries / COPIES);
  }
}

int main() {
  char *source;
  int *cycles, *failed;
  CHECK(cudaMalloc(&source, 4 * SHARED_BYTES));
  CHECK(cudaMemset(source, 1, 4 * SHARED_BYTES));
  CHECK(cudaMalloc(&cycles, COPIES * sizeof(int)));
  CHECK(cudaMalloc(&failed, COPIES * sizeof(int)));
  printf("who,threads,bytes,mean_cycles,min_cycles,max_cycles,distinct_cycles,failed_tries\n");
  measure<LONE_LANE>("lone-lane", 1, source, cycles, failed);
  measure<LANE_APART>("lane-apart", 32, source, cycles, failed);
  measure<WHOLE_WARPS>("whole-warps", 32, source, cycles, failed);
  measure<WHOLE_WARPS>("whole-warps", 128, source, cycles, failed);
}
