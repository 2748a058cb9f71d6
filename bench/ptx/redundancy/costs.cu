// What synchronizing instructions cost by themselves: cycles of one of many in a row, with nothing to
// wait for. One line of CSV each: instruction, threads of the block, cycles.
#include <cstdint>
#include <cstdio>
constexpr int TIMES = 64, ROUNDS = 16;

#define MEASURE(NAME, SETUP, CODE)                                              \
  __global__ void NAME(long long *out) {                                        \
    __shared__ __align__(16) uint64_t b[2];                                     \
    uint32_t s = (uint32_t)__cvta_generic_to_shared(b);                         \
    if (threadIdx.x == 0)                                                       \
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1024;\n"             \
                   "mbarrier.init.shared::cta.b64 [%1], 1;" ::"r"(s), "r"(s + 8) : "memory"); \
    __syncthreads();                                                            \
    asm volatile(SETUP ::"r"(s) : "memory");                                    \
    long long best = 1ll << 60;                                                 \
    for (int round = 0; round < ROUNDS; round++) {                              \
      __syncthreads();                                                          \
      long long start = clock64();                                              \
      _Pragma("unroll") for (int i = 0; i < TIMES; i++) asm volatile(CODE ::"r"(s) : "memory"); \
      long long end = clock64();                                                \
      best = min(best, end - start);                                            \
    }                                                                           \
    if (threadIdx.x == 0 && blockIdx.x == 0) *out = best;                       \
    __syncthreads();                                                            \
  }

MEASURE(bar_sync, "", "bar.sync 0;")
MEASURE(bar_warp_sync, "", "bar.warp.sync -1;")
MEASURE(cluster, "", "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;")
MEASURE(try_wait, "", "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 1; }")
MEASURE(try_wait_loop, "", "{ .reg .pred p;\nagain%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 1;\n@!p bra again%=; }")
MEASURE(arrive, "", "mbarrier.arrive.shared::cta.b64 _, [%0];")
MEASURE(cp_async_wait_group, "", "cp.async.wait_group 0;")
MEASURE(bulk_wait_group, "", "cp.async.bulk.wait_group 0;")
MEASURE(bulk_wait_group_read, "", "cp.async.bulk.wait_group.read 0;")
MEASURE(wgmma_fence, "", "wgmma.fence.sync.aligned;")
MEASURE(wgmma_wait_group, "", "wgmma.wait_group.sync.aligned 0;")
MEASURE(fence_proxy_async_shared, "", "fence.proxy.async.shared::cta;")
MEASURE(fence_proxy_async, "", "fence.proxy.async;")
MEASURE(fence_mbarrier_init, "", "fence.mbarrier_init.release.cluster;")
MEASURE(fence_acq_rel_cta, "", "fence.acq_rel.cta;")
MEASURE(fence_acq_rel_cluster, "", "fence.acq_rel.cluster;")
MEASURE(fence_acq_rel_gpu, "", "fence.acq_rel.gpu;")
MEASURE(membar_cta, "", "membar.cta;")
MEASURE(membar_gl, "", "membar.gl;")
MEASURE(membar_sys, "", "membar.sys;")

template <typename F> void measure(const char *name, F kernel, int cluster = 1, int least = 32) {
  long long *out, cycles = 0;
  cudaMalloc(&out, 8);
  for (int threads : {32, 128, 256, 512, 1024}) {
    if (threads < least) continue;
    cudaLaunchConfig_t config = {};
    config.gridDim = cluster, config.blockDim = threads;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {(unsigned)cluster, 1, 1};
    config.attrs = &attribute, config.numAttrs = 1;
    for (int i = 0; i < 3; i++) cudaLaunchKernelEx(&config, kernel, out);
    cudaMemcpy(&cycles, out, 8, cudaMemcpyDeviceToHost);
    cudaError_t error = cudaGetLastError();
    printf("%s,%d,%d,%.1f,%s\n", name, cluster, threads, (double)cycles / TIMES, cudaGetErrorName(error));
    fflush(stdout);
  }
  cudaFree(out);
}

int main() {
  puts("instruction,cluster,threads,cycles,status");
#define ONE(NAME) measure(#NAME, NAME);
  ONE(bar_sync) ONE(bar_warp_sync) ONE(try_wait) ONE(try_wait_loop) ONE(arrive) ONE(cp_async_wait_group)
  ONE(bulk_wait_group) ONE(bulk_wait_group_read)
  ONE(fence_proxy_async_shared) ONE(fence_proxy_async) ONE(fence_mbarrier_init) ONE(fence_acq_rel_cta)
  ONE(fence_acq_rel_cluster) ONE(fence_acq_rel_gpu) ONE(membar_cta) ONE(membar_gl) ONE(membar_sys)
  measure("cluster", cluster, 2);
  measure("cluster", cluster, 4);
  // A warpgroup executes these together; they come last, since a fault would end all after it.
  measure("wgmma_fence", wgmma_fence, 1, 128);
  measure("wgmma_wait_group", wgmma_wait_group, 1, 128);
}
