// What a bulk store takes that all lanes of a warp make: alike, each into a place of its own, or as
// a reduction. Rows for bench/h200/alike-stores.csv.
//
//   nvcc -O2 -arch=sm_90a -o alike-stores alike-stores.cu && ./alike-stores
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int ROUNDS = 200, BYTES = 4096, PLACES = 32 * BYTES;
enum Lanes { first, alike, apart };
const char *const NAMES[] = {"first", "alike", "apart"};

void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(1);
}

__global__ void store(char *to, Lanes lanes, bool isReduction, long long *cycles) {
  __shared__ alignas(128) int tile[BYTES / 4];
  const uint32_t from = (uint32_t)__cvta_generic_to_shared(tile);
  const int lane = threadIdx.x;
  for (int at = lane; at < BYTES / 4; at += 32) tile[at] = 1;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncwarp();
  char *place = to + (size_t)blockIdx.x * PLACES + (lanes == apart ? lane * BYTES : 0);
  const long long begin = clock64();
  for (int round = 0; round < ROUNDS; round++) {
    if (lanes != first || lane == 0) {
      if (isReduction)
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 4096;" ::"l"(place), "r"(from) : "memory");
      else
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 4096;" ::"l"(place), "r"(from) : "memory");
      asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncwarp();
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  if (lane == 0) cycles[blockIdx.x] = (clock64() - begin) / ROUNDS;
}

int main() {
  char *to;
  long long *cycles;
  must(cudaMalloc(&to, (size_t)132 * PLACES));
  must(cudaMallocManaged(&cycles, 132 * sizeof(long long)));
  printf("what,blocks,lanes,cycles,first_word\n");
  for (bool isReduction : {false, true})
    for (int blocks : {1, 132})
      for (Lanes lanes : {first, alike, apart}) {
        must(cudaMemset(to, 0, (size_t)132 * PLACES));
        store<<<blocks, 32>>>(to, lanes, isReduction, cycles);
        must(cudaDeviceSynchronize());
        int word;
        must(cudaMemcpy(&word, to, 4, cudaMemcpyDeviceToHost));
        printf("%s,%d,%s,%lld,%d\n", isReduction ? "reduction" : "store", blocks, NAMES[lanes], cycles[0], word);
      }
}
