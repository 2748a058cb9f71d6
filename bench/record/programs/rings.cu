// Launches the rings of examples/ptx through the CUDA runtime: pipe.cu and tile-sum.cu with -DPIPE,
// ring.cu (tensor maps, clusters, named barriers) with -DRING.
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#define CHECK(call)                                                                         \
  do {                                                                                      \
    cudaError_t error = (call);                                                             \
    if (error != cudaSuccess) {                                                             \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)

template <class T> T *device(size_t count) {
  T *memory;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  CHECK(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

#ifdef PIPE
#define main measure
#include "pipe.cu"
#undef main
#define init tile_init
#define wait tile_wait
#define arrive tile_arrive
#include "tile-sum.cu"

constexpr int SHARED = 220 * 1024;

int main() {
  char *source = device<char>(64 << 20);
  long long *cycles = device<long long>(512);
  int *status = device<int>(1024), *bad = device<int>(1024);
  unsigned *trace = device<unsigned>(1 << 18);
  CHECK(cudaFuncSetAttribute(pipe2, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
  CHECK(cudaFuncSetAttribute(pipe3, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
  CHECK(cudaFuncSetAttribute(pipeAB, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
  Cfg two{};
  two.S = 4, two.B = 8192, two.K = 64, two.nCons = 2;
  pipe2<<<1, 96, SHARED>>>(two, source, 1 << 20, cycles, status, bad, trace);
  CHECK(cudaDeviceSynchronize());
  two.mut = 3, two.Cc = 200; // releases a stage before it reads it
  pipe2<<<1, 96, SHARED>>>(two, source, 1 << 20, cycles, status, bad, trace);
  CHECK(cudaDeviceSynchronize());
  Cfg three{};
  three.S = 4, three.B = 8192, three.K = 4, three.T = 6, three.S2 = 2;
  pipe3<<<1, 96, SHARED>>>(three, source, 1 << 20, cycles, status, trace);
  CHECK(cudaDeviceSynchronize());
  Cfg both{};
  both.S = 2, both.B = 4096, both.S2 = 2, both.BB = 8192, both.K = 32, both.order = 1;
  pipeAB<<<1, 96, SHARED>>>(both, source, 1 << 20, cycles, status);
  CHECK(cudaDeviceSynchronize());
  uint32_t *sums = device<uint32_t>(64);
  for (int tiles : {16, 64, 3}) tile_sum<<<1, 64>>>((const uint32_t *)source, sums, tiles);
  CHECK(cudaDeviceSynchronize());
  puts("rings of pipe.cu and tile-sum.cu ended");
  return 0;
}
#endif

#ifdef RING
#include "ring.cu"

using Encode = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                            const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                            const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

Encode findEncode() {
  void *found;
  cudaDriverEntryPointQueryResult status;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                         cudaEnableDefault, &status));
  return (Encode)found;
}

CUtensorMap mapOf(void *memory, CUtensorMapDataType type, int bytes, cuuint64_t width,
                  cuuint64_t height, cuuint32_t boxWidth, cuuint32_t boxHeight,
                  CUtensorMapSwizzle swizzle) {
  static Encode encode = findEncode();
  CUtensorMap map;
  cuuint64_t dimensions[] = {width, height}, strides[] = {width * bytes};
  cuuint32_t box[] = {boxWidth, boxHeight}, steps[] = {1, 1};
  if (encode(&map, type, 2, memory, dimensions, strides, box, steps,
             CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    fprintf(stderr, "cannot encode a tensor map\n");
    exit(1);
  }
  return map;
}

int main() {
  uint16_t *a = device<uint16_t>(4 << 20), *b = device<uint16_t>(4 << 20);
  float *c = device<float>(2 << 20), *out = device<float>(2 << 20);
  const auto half = CU_TENSOR_MAP_DATA_TYPE_FLOAT16, single = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  const auto swizzled = CU_TENSOR_MAP_SWIZZLE_128B, plain = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMap half32 = mapOf(a, half, 2, 1024, 1024, 64, 32, swizzled);
  CUtensorMap half64 = mapOf(a, half, 2, 1024, 1024, 64, 64, swizzled);
  CUtensorMap other = mapOf(b, half, 2, 1024, 1024, 64, 64, swizzled);
  CUtensorMap result = mapOf(c, single, 4, 128, 1024, 128, 32, plain);
  const int shared = ST * (AB + BB) + 1024;
  CHECK(cudaFuncSetAttribute(coop, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  CHECK(cudaFuncSetAttribute(pingpong, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(2), config.blockDim = dim3(384), config.dynamicSmemBytes = shared;
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 2, cluster.val.clusterDim.y = 1, cluster.val.clusterDim.z = 1;
  config.attrs = &cluster, config.numAttrs = 1;
  int tiles = 2, steps = 4, mutant = 0;
  CHECK(cudaLaunchKernelEx(&config, coop, half32, other, result, tiles, steps, mutant, out));
  CHECK(cudaDeviceSynchronize());
  pingpong<<<1, 384, shared>>>(half64, other, result, 4, steps, mutant, out);
  CHECK(cudaDeviceSynchronize());
  puts("rings of ring.cu ended");
  return 0;
}
#endif
