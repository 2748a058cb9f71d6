// What of a row is still in the L2 when its block reads it again: rows for bench/h200/reuse.csv.
//   nvcc -O3 -std=c++17 -gencode arch=compute_90,code=sm_90 -o reuse bench/cuda/reuse.cu && ./reuse
// Each of 132 blocks reads `bytes` of its own, reads them again, and goes on; with `stores`, it writes as many
// elsewhere while it reads again. All of it is far more than the L2 holds.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int SMS = 132, THREADS = 1024, RUNS = 5;
constexpr size_t ALL = size_t{2} << 30;

static void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(1);
}

__device__ float sum_of(const float4 *at, int vectors) {
  float sum = 0;
#pragma unroll 8
  for (int i = threadIdx.x; i < vectors; i += THREADS) {
    float4 each;
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(each.x), "=f"(each.y), "=f"(each.z), "=f"(each.w)
                 : "l"(at + i));
    sum += each.x + each.y + each.z + each.w;
  }
  return sum;
}

template <bool again, bool stores>
__global__ void __launch_bounds__(THREADS, 1) reuse(const float4 *in, float4 *out, int vectors, int rows) {
  float sum = 0;
  for (int row = blockIdx.x; row < rows; row += SMS) {
    const float4 *at = in + size_t(row) * vectors;
    sum += sum_of(at, vectors);
    if (again) sum += sum_of(at, vectors);
    if (stores)
      for (int i = threadIdx.x; i < vectors; i += THREADS)
        out[size_t(row) * vectors + i] = {sum, sum, sum, sum};
  }
  if (sum == 1) out[0].x = sum;
}

template <bool again, bool stores> static float took(const float4 *in, float4 *out, size_t bytes) {
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  float least = 1e9;
  for (int run = 0; run < RUNS; run++) {
    float ms;
    must(cudaEventRecord(begin));
    reuse<again, stores><<<SMS, THREADS>>>(in, out, bytes / sizeof(float4), ALL / bytes);
    must(cudaEventRecord(end));
    must(cudaEventSynchronize(end));
    must(cudaEventElapsedTime(&ms, begin, end));
    if (run > 0 && ms < least) least = ms;
  }
  return least * 1000;
}

int main() {
  float4 *in, *out;
  must(cudaMalloc(&in, ALL));
  must(cudaMalloc(&out, ALL));
  must(cudaMemset(in, 0, ALL));
  printf("bytes,once_us,again_us,once_stored_us,again_stored_us\n");
  for (size_t kib : {32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 1024}) {
    const size_t bytes = kib << 10;
    const float once = took<false, false>(in, out, bytes), again = took<true, false>(in, out, bytes);
    const float stored = took<false, true>(in, out, bytes), both = took<true, true>(in, out, bytes);
    printf("%zu,%.1f,%.1f,%.1f,%.1f\n", bytes, once, again, stored, both);
  }
}
