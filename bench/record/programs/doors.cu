// Kernels behind every way of launching: the runtime, cooperative, dependent launches, a graph that
// is captured and one that is built, and the driver with a packed buffer. It prints what the doors of
// the driver return, because the recorder rests on it.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>
#include <dlfcn.h>
#define CHECK(call)                                                                  \
  do {                                                                               \
    int error = (int)(call);                                                         \
    if (error != 0) {                                                                \
      fprintf(stderr, "%s:%d error %d\n", __FILE__, __LINE__, error);                \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)
namespace cg = cooperative_groups;

/** Copies of 16 bytes with cp.async, double buffered. */
__global__ void double_buffer(const float4 *in, float *out, int tiles) {
  __shared__ alignas(16) float4 tile[2][128];
  auto start = [&](int t) {
    unsigned to = (unsigned)__cvta_generic_to_shared(&tile[t & 1][threadIdx.x]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + t * 128 + threadIdx.x));
    asm volatile("cp.async.commit_group;");
  };
  float sum = 0;
  start(0);
  for (int t = 0; t < tiles; t++) {
    if (t + 1 < tiles) {
      start(t + 1);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
    __syncthreads();
    sum += tile[t & 1][127 - threadIdx.x].x;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

/** A producer warp and three consumer warps over two pairs of named barriers. */
__global__ void named_barriers(const float *in, float *out, int tiles) {
  __shared__ float tile[2][96];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int t = 0; t < tiles; t++) {
    const int stage = t & 1;
    if (warp == 0) {
      if (t >= 2) asm volatile("bar.sync %0, 128;" ::"r"(3 + stage) : "memory");
      for (int i = lane; i < 96; i += 32) tile[stage][i] = in[t * 96 + i];
      asm volatile("bar.arrive %0, 128;" ::"r"(1 + stage) : "memory");
    } else {
      asm volatile("bar.sync %0, 128;" ::"r"(1 + stage) : "memory");
      sum += tile[stage][95 - (threadIdx.x - 32)];
      if (t + 2 < tiles) asm volatile("bar.arrive %0, 128;" ::"r"(3 + stage) : "memory");
    }
  }
  if (warp > 0) out[threadIdx.x - 32] = sum;
}

/** The pipeline of libcu++ over all threads of the block. */
__global__ void library_pipeline(const float *in, float *out, int tiles) {
  constexpr int stages = 3;
  __shared__ float tile[stages][256];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int next = 0, t = 0; t < tiles; t++) {
    for (; next < tiles && next < t + stages; next++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[next % stages], in + next * 256,
                         cuda::aligned_size_t<16>(sizeof tile[0]), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[t % stages][255 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

/** Reduces over a cluster through distributed shared memory. */
__global__ void __cluster_dims__(4, 1, 1) cluster_sum(const float *in, float *out) {
  __shared__ float part;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) part = in[blockIdx.x];
  cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) {
    float sum = 0;
    for (int rank = 0; rank < 4; rank++) sum += *cluster.map_shared_rank(&part, rank);
    out[blockIdx.x / 4] = sum;
  }
  cluster.sync();
}

/** A barrier over the grid. */
__global__ void grid_sum(const float *in, float *parts, float *out) {
  auto grid = cg::this_grid();
  if (threadIdx.x == 0) parts[blockIdx.x] = in[blockIdx.x];
  grid.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (int i = 0; i < gridDim.x; i++) *out += parts[i];
}

__global__ void first(float *data) {
  data[threadIdx.x] = threadIdx.x;
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
__global__ void second(const float *data, float *out) {
  __shared__ float copy[128];
  asm volatile("griddepcontrol.wait;" ::: "memory");
  copy[threadIdx.x] = data[threadIdx.x];
  asm volatile("bar.sync 1, 128;" ::: "memory");
  out[threadIdx.x] = copy[127 - threadIdx.x];
}

template <class T> T *device(size_t count) {
  T *memory;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  CHECK(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

/** Whether the doors of the driver return the same function. */
void compareDoors() {
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  using Ask = CUresult (*)(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);
  Ask ask = (Ask)dlsym(driver, "cuGetProcAddress_v2");
  for (const char *name : {"cuLaunchKernel", "cuLaunchKernelEx", "cuModuleLoadData", "cuMemFree"}) {
    void *found = nullptr;
    CUdriverProcAddressQueryResult status;
    ask(name, &found, 13000, 0, &status);
    Dl_info object{};
    dladdr(found, &object);
    printf("%s: dlsym %s cuGetProcAddress, which is in %s\n", name,
           dlsym(driver, name) == found ? "equals" : "differs from", object.dli_fname);
  }
}

int main() {
  const float *in = device<float>(1 << 20);
  float *out = device<float>(1 << 16), *parts = device<float>(1 << 10);
  compareDoors();
  for (int tiles : {1, 2, 7, 32}) double_buffer<<<1, 128>>>((const float4 *)in, out, tiles);
  for (int tiles : {2, 9}) named_barriers<<<1, 128>>>(in, out, tiles);
  for (int tiles : {2, 9}) library_pipeline<<<1, 256>>>(in, out, tiles);
  cluster_sum<<<8, 64>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  void *arguments[] = {&in, &parts, &out};
  CHECK(cudaLaunchCooperativeKernel((void *)grid_sum, dim3(32), dim3(64), arguments, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1), config.blockDim = dim3(128);
  CHECK(cudaLaunchKernelEx(&config, first, parts));
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &early, config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, second, (const float *)parts, out));
  CHECK(cudaDeviceSynchronize());

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  named_barriers<<<1, 128, 0, stream>>>(in, out, 5);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  int tiles = 11;
  void *nodeArguments[] = {&in, &out, &tiles};
  cudaKernelNodeParams node{};
  node.func = (void *)double_buffer, node.gridDim = dim3(1), node.blockDim = dim3(128);
  node.kernelParams = nodeArguments;
  cudaGraphNode_t added;
  CHECK(cudaGraphAddKernelNode(&added, graph, nullptr, 0, &node));
  cudaGraphExec_t instance;
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  CHECK(cudaGraphLaunch(instance, stream));
  CHECK(cudaStreamSynchronize(stream));

  // The driver, with one packed buffer.
  cudaFunction_t function;
  CHECK(cudaGetFuncBySymbol(&function, (const void *)double_buffer));
  struct {
    const void *in;
    void *out;
    int tiles;
  } packed = {in, out, 13};
  size_t size = 20;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  using LaunchKernel = CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                    unsigned, unsigned, CUstream, void **, void **);
  auto launch = (LaunchKernel)dlsym(dlopen("libcuda.so.1", RTLD_LAZY), "cuLaunchKernel");
  CHECK(launch((CUfunction)function, 1, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  CHECK(cudaDeviceSynchronize());
  puts("all launches ended");
  return 0;
}
