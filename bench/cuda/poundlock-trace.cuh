// Logs the barrier operations of a launch for `poundlock check trace.jsonl` (docs/how-to/trace.md).
//
// A kernel calls the functions of namespace `poundlock` in place of its own wrappers, or the
// functions `note_…` beside them, which only log. Without POUNDLOCK_TRACE nothing is logged, and the
// operations are what is left. The host keeps a `poundlock::Trace` around the launch:
//
//     poundlock::Trace trace;
//     kernel<<<grid, block, bytes>>>(…);
//     trace.write("trace.jsonl", "kernel", grid, block, cluster, bytes);
//
// Every thread of the first cluster logs, each record through one atomic counter into memory that
// the host can read while the kernel hangs. An operation that signals is logged before it is made,
// one that waits before and after it. Compute capability 9.0 or newer for copies and clusters.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>

namespace poundlock {

/** What a record is of. The numbers are part of the format: new ones are added at the end. */
enum Op : uint32_t {
  NONE,
  NAME,           // a: offset, b: bytes | element << 24, c, d: eight characters
  INIT,           // a: barrier, b: count
  INVALIDATE,     // a: barrier
  ARRIVE,         // a: barrier, b: arrivals, c: expected bytes, d: 1 if they leave later phases, too
  EXPECT,         // a: barrier, b: bytes
  COMPLETE,       // a: barrier, b: bytes
  WAIT,           // a: barrier, b: parity
  COPY,           // a: destination, b: bytes, c: barrier, d: mask of CTAs, 0: its own
  STORE,          // a: source, b: bytes: a bulk copy out of shared memory
  COMMIT_GROUP,   // a: unit
  WAIT_GROUP,     // a: unit, b: pending groups, c: 1 if only reads have to end
  CP_ASYNC,       // a: destination, b: bytes
  CP_ASYNC_ARRIVE, // a: barrier, b: 1 if the arrival is counted (.noinc)
  MMA,            // a: first byte, b: bytes that the tensor core reads from shared memory
  READ,           // a: first byte, b: bytes
  WRITE,          // a: first byte, b: bytes
  SYNC,           // a: named barrier, b: threads
  SYNC_ARRIVE,    // a: named barrier, b: threads
  CLUSTER_ARRIVE,
  CLUSTER_WAIT,
  FENCE,          // a: kind
};

enum Unit : uint32_t { BULK, CP_ASYNC_UNIT, WGMMA };

enum Fence : uint32_t { PROXY_ASYNC, MBARRIER_INIT };

/** Added to an operation that waits, in the record before it. */
constexpr uint32_t BEGIN = 0x80;

struct Record {
  uint32_t op, line, block, thread, a, b, c, d;
};

/** The bit in an address that holds the rank of a CTA. */
constexpr uint32_t RANK_SHIFT = 24;

#ifdef POUNDLOCK_TRACE
static __device__ Record *records;
static __device__ unsigned long long capacity;
static __device__ unsigned long long used;
#endif

__device__ __forceinline__ uint32_t offset(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ uint32_t cluster_rank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/** Adds a record. */
__device__ __forceinline__ void log(uint32_t op, uint32_t a, uint32_t b, uint32_t c, uint32_t d, int line) {
#ifdef POUNDLOCK_TRACE
  uint32_t x, y, z;
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(x));
  asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(y));
  asm volatile("mov.u32 %0, %%clusterid.z;" : "=r"(z));
  if ((x | y | z) != 0) return;
  const unsigned long long at = atomicAdd(&used, 1ull);
  if (at >= capacity) return;
  const uint32_t thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  volatile Record *to = records + at;
  to->line = static_cast<uint32_t>(line);
  to->block = cluster_rank();
  to->thread = thread;
  to->a = a;
  to->b = b;
  to->c = c;
  to->d = d;
  __threadfence_system();
  to->op = op;
  __threadfence_system();
#endif
}

// Records alone, for kernels that keep their own wrappers. `line` is that of the caller.

__device__ __forceinline__ void note_init(const void *barrier, uint32_t count, int line = __builtin_LINE()) {
  log(INIT, offset(barrier), count, 0, 0, line);
}
__device__ __forceinline__ void note_arrive(uint32_t barrier, uint32_t arrivals, uint32_t bytes, uint32_t drops,
                                            int line = __builtin_LINE()) {
  log(ARRIVE, barrier, arrivals, bytes, drops, line);
}
__device__ __forceinline__ void note_wait_begin(const void *barrier, uint32_t parity, int line = __builtin_LINE()) {
  log(WAIT | BEGIN, offset(barrier), parity & 1, 0, 0, line);
}
__device__ __forceinline__ void note_wait(const void *barrier, uint32_t parity, int line = __builtin_LINE()) {
  log(WAIT, offset(barrier), parity & 1, 0, 0, line);
}
__device__ __forceinline__ void note_copy(const void *to, uint32_t bytes, const void *barrier, uint32_t mask = 0,
                                          int line = __builtin_LINE()) {
  log(COPY, offset(to), bytes, offset(barrier), mask, line);
}
__device__ __forceinline__ void note_mma(const void *operand, uint32_t bytes, int line = __builtin_LINE()) {
  log(MMA, offset(operand), bytes, 0, 0, line);
}
__device__ __forceinline__ void note_commit(Unit unit, int line = __builtin_LINE()) {
  log(COMMIT_GROUP, unit, 0, 0, 0, line);
}
__device__ __forceinline__ void note_wait_group(Unit unit, uint32_t pending, bool reads, int line = __builtin_LINE()) {
  log(WAIT_GROUP, unit, pending, reads, 0, line);
}

/** The thread is about to read bytes of shared memory. */
__device__ __forceinline__ void read(const void *from, uint32_t bytes, int line = __builtin_LINE()) {
  log(READ, offset(from), bytes, 0, 0, line);
}

/** The thread is about to write bytes of shared memory. */
__device__ __forceinline__ void write(const void *to, uint32_t bytes, int line = __builtin_LINE()) {
  log(WRITE, offset(to), bytes, 0, 0, line);
}

__host__ __device__ constexpr uint32_t four(const char *text, int length, int from) {
  uint32_t word = 0;
  for (int at = 0; at < 4; at++)
    if (from + at < length) word |= static_cast<uint32_t>(static_cast<unsigned char>(text[from + at])) << (8 * at);
  return word;
}

/** Gives a shared variable a name of up to eight characters in findings; one thread says it. */
template <int N, typename T>
__device__ __forceinline__ void name(const char (&text)[N], const T &variable, uint32_t element = 0,
                                     int line = __builtin_LINE()) {
  log(NAME, offset(&variable), static_cast<uint32_t>(sizeof(T)) | element << 24, four(text, N - 1, 0),
      four(text, N - 1, 4), line);
}

// Operations with their records.

__device__ __forceinline__ void init(uint64_t *barrier, uint32_t count, int line = __builtin_LINE()) {
  note_init(barrier, count, line);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(offset(barrier)), "r"(count) : "memory");
}
__device__ __forceinline__ void invalidate(uint64_t *barrier, int line = __builtin_LINE()) {
  log(INVALIDATE, offset(barrier), 0, 0, 0, line);
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(offset(barrier)) : "memory");
}
__device__ __forceinline__ void fence_init(int line = __builtin_LINE()) {
  log(FENCE, MBARRIER_INIT, 0, 0, 0, line);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ __forceinline__ void fence_proxy_async(int line = __builtin_LINE()) {
  log(FENCE, PROXY_ASYNC, 0, 0, 0, line);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ __forceinline__ void arrive(uint64_t *barrier, int line = __builtin_LINE()) {
  note_arrive(offset(barrier) | cluster_rank() << RANK_SHIFT, 1, 0, 0, line);
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(offset(barrier)) : "memory");
}
/** Arrives at the barrier at the same place of another CTA of the cluster. */
__device__ __forceinline__ void arrive_remote(uint64_t *barrier, uint32_t rank, int line = __builtin_LINE()) {
  note_arrive(offset(barrier) | rank << RANK_SHIFT, 1, 0, 0, line);
  asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(offset(barrier)),
               "r"(rank) : "memory");
}
/** Arrives, and expects bytes of copies in this phase. */
__device__ __forceinline__ void arrive_expect(uint64_t *barrier, uint32_t bytes, int line = __builtin_LINE()) {
  note_arrive(offset(barrier) | cluster_rank() << RANK_SHIFT, 1, bytes, 0, line);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(offset(barrier)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void expect(uint64_t *barrier, uint32_t bytes, int line = __builtin_LINE()) {
  log(EXPECT, offset(barrier), bytes, 0, 0, line);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(offset(barrier)), "r"(bytes) : "memory");
}
/** Waits for the end of the phase with a parity. */
__device__ __forceinline__ void wait(uint64_t *barrier, uint32_t parity, int line = __builtin_LINE()) {
  note_wait_begin(barrier, parity, line);
  uint32_t done = 0;
  while (done == 0)
    asm volatile("{\n.reg .pred yes;\nmbarrier.try_wait.parity.shared::cta.b64 yes, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, yes;\n}" : "=r"(done) : "r"(offset(barrier)), "r"(parity & 1) : "memory");
  note_wait(barrier, parity, line);
}
/** Starts a bulk copy into shared memory, which completes its bytes at a barrier. */
__device__ __forceinline__ void copy(void *to, const void *from, uint32_t bytes, uint64_t *barrier,
                                     int line = __builtin_LINE()) {
  note_copy(to, bytes, barrier, 0, line);
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(offset(to)),
               "l"(from), "r"(bytes), "r"(offset(barrier)) : "memory");
}
/** Starts a bulk copy out of shared memory: part of the group that is committed next. */
__device__ __forceinline__ void store(void *to, const void *from, uint32_t bytes, int line = __builtin_LINE()) {
  log(STORE, offset(from), bytes, 0, 0, line);
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(offset(from)), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void commit_stores(int line = __builtin_LINE()) {
  note_commit(BULK, line);
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/** Waits until at most `PENDING` groups of stores still read shared memory. */
template <int PENDING> __device__ __forceinline__ void wait_stores_read(int line = __builtin_LINE()) {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(PENDING) : "memory");
  note_wait_group(BULK, PENDING, true, line);
}
template <int PENDING> __device__ __forceinline__ void wait_stores(int line = __builtin_LINE()) {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(PENDING) : "memory");
  note_wait_group(BULK, PENDING, false, line);
}
/** Copies 16 bytes of the thread into shared memory. */
__device__ __forceinline__ void cp_async(void *to, const void *from, int line = __builtin_LINE()) {
  log(CP_ASYNC, offset(to), 16, 0, 0, line);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(offset(to)), "l"(from) : "memory");
}
__device__ __forceinline__ void cp_async_commit(int line = __builtin_LINE()) {
  note_commit(CP_ASYNC_UNIT, line);
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int PENDING> __device__ __forceinline__ void cp_async_wait(int line = __builtin_LINE()) {
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
  note_wait_group(CP_ASYNC_UNIT, PENDING, false, line);
}
/** Arrives once the thread's copies so far are complete, as one of the expected arrivals. */
__device__ __forceinline__ void cp_async_arrive(uint64_t *barrier, int line = __builtin_LINE()) {
  log(CP_ASYNC_ARRIVE, offset(barrier), 1, 0, 0, line);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(offset(barrier)) : "memory");
}
/** All threads of the warps that come here meet: `threads` of them. */
__device__ __forceinline__ void sync(uint32_t barrier, uint32_t threads, int line = __builtin_LINE()) {
  log(SYNC | BEGIN, barrier, threads, 0, 0, line);
  asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
  log(SYNC, barrier, threads, 0, 0, line);
}
/** `__syncthreads()`. */
__device__ __forceinline__ void sync_threads(int line = __builtin_LINE()) {
  const uint32_t threads = (blockDim.x * blockDim.y * blockDim.z + 31) / 32 * 32;
  log(SYNC | BEGIN, 0, threads, 0, 0, line);
  __syncthreads();
  log(SYNC, 0, threads, 0, 0, line);
}
__device__ __forceinline__ void sync_arrive(uint32_t barrier, uint32_t threads, int line = __builtin_LINE()) {
  log(SYNC_ARRIVE, barrier, threads, 0, 0, line);
  asm volatile("barrier.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ __forceinline__ void cluster_arrive(int line = __builtin_LINE()) {
  log(CLUSTER_ARRIVE, 0, 0, 0, 0, line);
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ __forceinline__ void cluster_wait(int line = __builtin_LINE()) {
  log(CLUSTER_WAIT | BEGIN, 0, 0, 0, 0, line);
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  log(CLUSTER_WAIT, 0, 0, 0, 0, line);
}

/** The buffer of one launch, on the host. */
class Trace {
public:
  /** Room for so many records; further ones are dropped, and the log says so. */
  explicit Trace(unsigned long long most = 1ull << 20) : most_(most) {
#ifdef POUNDLOCK_TRACE
    must(cudaHostAlloc(&host_, most * sizeof(Record), cudaHostAllocMapped));
    std::memset(host_, 0, most * sizeof(Record));
    Record *device = nullptr;
    must(cudaHostGetDevicePointer(&device, host_, 0));
    const unsigned long long none = 0;
    must(cudaMemcpyToSymbol(records, &device, sizeof device));
    must(cudaMemcpyToSymbol(capacity, &most_, sizeof most_));
    must(cudaMemcpyToSymbol(used, &none, sizeof none));
#endif
  }

  /**
   * Waits for the kernel, at most `seconds`, and writes the log.
   *
   * @returns Whether the kernel ended. One that hangs ends with its process only.
   */
  bool write(const char *path, const char *kernel, dim3 block, dim3 cluster = dim3(1), int seconds = 10,
             const char *file = __builtin_FILE()) {
#ifdef POUNDLOCK_TRACE
    cudaError_t state = cudaErrorNotReady;
    for (long tries = 0; tries < seconds * 1000L && state == cudaErrorNotReady; tries++) {
      state = cudaStreamQuery(nullptr);
      if (state == cudaErrorNotReady) pause();
    }
    const bool ended = state == cudaSuccess;
    FILE *out = std::fopen(path, "w");
    if (out == nullptr) {
      std::perror(path);
      return ended;
    }
    unsigned long long count = 0;
    for (unsigned long long at = 0; at < most_; at++) count += host_[at].op != NONE;
    std::fprintf(out,
                 "{\"format\":\"poundlock-trace\",\"version\":1,\"kernel\":\"%s\",\"file\":\"%s\",\"block\":[%u,%u,%u],"
                 "\"cluster\":[%u,%u,%u],\"ended\":%s,\"complete\":%s,\"records\":%llu}\n",
                 kernel, base(file), block.x, block.y, block.z, cluster.x, cluster.y, cluster.z,
                 ended ? "true" : "false", count < most_ ? "true" : "false", count);
    for (unsigned long long at = 0; at < most_; at++) {
      const Record &one = host_[at];
      if (one.op != NONE)
        std::fprintf(out, "[%u,%u,%u,%u,%u,%u,%u,%u]\n", one.op, one.line, one.block, one.thread, one.a, one.b, one.c,
                     one.d);
    }
    std::fclose(out);
    return ended;
#else
    return true;
#endif
  }

private:
  static void must(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "poundlock-trace: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
  /** About a millisecond. */
  static void pause() {
    timespec time{0, 1000000};
    nanosleep(&time, nullptr);
  }
  static const char *base(const char *file) {
    const char *slash = std::strrchr(file, '/');
    return slash == nullptr ? file : slash + 1;
  }
  unsigned long long most_;
  Record *host_ = nullptr;
};

} // namespace poundlock
