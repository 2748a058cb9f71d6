// The instructions that are measured, one function each: barriers, copies, clocks, fences.
//
// From compute capability 9.0 on there are bulk copies, clusters and sleeping waits; below it the
// functions that have no instruction trap, and the tables that need them are left out.
#pragma once
#include <cstdint>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HAS_HOPPER 1
#else
#define HAS_HOPPER 0
#endif
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAS_WGMMA 1
#else
#define HAS_WGMMA 0
#endif

#define DEVICE __device__ __forceinline__

/** After so many failed tries a wait gives up: no right program comes near. */
constexpr int MOST_TRIES = 1 << 21;

__device__ int device_errors;

DEVICE uint32_t at(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

DEVICE long long now_ns() {
  long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

DEVICE uint32_t sm_id() {
  uint32_t id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

/** The cycles of this SM, as a counter of 32 bits that costs a role least. */
DEVICE uint32_t now_cycles() {
  uint32_t cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
  return cycles;
}

/** What the measured lane of a CTA saw: cycles of its SM, and nanoseconds. */
struct Span {
  long long cycles, ns, begin_ns;
  uint32_t sm, pad;
};

/** Both clocks. The counter of 32 bits overflows after two seconds. */
struct Clock {
  long long ns, wide;
  uint32_t cycles;
  DEVICE static Clock start() {
    const long long ns = now_ns();
    const long long wide = clock64();
    return {ns, wide, now_cycles()};
  }
  /** Cycles since the start. */
  DEVICE uint32_t since() const { return now_cycles() - cycles; }
  DEVICE void stop(Span *spans) const {
    const uint32_t end = since();
    const long long all = clock64() - wide, end_ns = now_ns();
    spans[blockIdx.x] = {all < (1ll << 31) ? end : all, end_ns - ns, ns, sm_id(), 0};
  }
};

/** A timed wait of a role, in place of its work. */
DEVICE void spin(uint32_t cycles) {
  if (cycles == 0) return;
  const uint32_t start = now_cycles();
  while (now_cycles() - start < cycles) {
  }
}

DEVICE void barrier_init(uint64_t *bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory");
}

DEVICE void fence_init() {
#if HAS_HOPPER
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

DEVICE bool test_wait(uint64_t *bar, uint32_t parity) {
#if HAS_HOPPER
  uint32_t done;
  asm volatile(
      "{\n.reg .pred p;\n"
      "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(done)
      : "r"(at(bar)), "r"(parity)
      : "memory");
  return done;
#else
  // Parities came with 8.0 for test_wait in PTX ISA 7.1.
  uint32_t done;
  asm volatile(
      "{\n.reg .pred p;\n"
      "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(done)
      : "r"(at(bar)), "r"(parity)
      : "memory");
  return done;
#endif
}

DEVICE bool try_wait(uint64_t *bar, uint32_t parity) {
#if HAS_HOPPER
  uint32_t done;
  asm volatile(
      "{\n.reg .pred p;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(done)
      : "r"(at(bar)), "r"(parity)
      : "memory");
  return done;
#else
  return test_wait(bar, parity);
#endif
}

/**
 * Waits, and answers how often it tried in vain. The bound makes the compiler unroll four tries;
 * after it the program goes on with wrong words, which the checked run notices.
 */
DEVICE int wait(uint64_t *bar, uint32_t parity) {
  int failed = 0;
  while (!try_wait(bar, parity)) {
    if (++failed > MOST_TRIES) return failed;
  }
  return failed;
}

/** The loop of CUTLASS: without a bound, so that it is not unrolled. */
DEVICE void wait_closely(uint64_t *bar, uint32_t parity) {
#if HAS_HOPPER
  asm volatile(
      "{\n.reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n}" ::"r"(at(bar)),
      "r"(parity)
      : "memory");
#else
  wait(bar, parity);
#endif
}

/** The same, for a barrier that threads of other CTAs arrive at. */
DEVICE void wait_cluster(uint64_t *bar, uint32_t parity) {
#if HAS_HOPPER
  int failed = 0;
  uint32_t done = 0;
  while (!done) {
    asm volatile(
        "{\n.reg .pred p;\n"
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(at(bar)), "r"(parity)
        : "memory");
    if (!done && ++failed > MOST_TRIES) break;
  }
#endif
}

DEVICE void arrive(uint64_t *bar) {
#if HAS_HOPPER
  asm volatile("{\n.reg .b64 token;\nmbarrier.arrive.shared::cta.b64 token, [%0];\n}" ::"r"(at(bar)) : "memory");
#else
  asm volatile("{\n.reg .b64 token;\nmbarrier.arrive.shared.b64 token, [%0];\n}" ::"r"(at(bar)) : "memory");
#endif
}

DEVICE void arrive_expect(uint64_t *bar, uint32_t bytes) {
#if HAS_HOPPER
  asm volatile("{\n.reg .b64 token;\nmbarrier.arrive.expect_tx.shared::cta.b64 token, [%0], %1;\n}" ::"r"(at(bar)),
               "r"(bytes)
               : "memory");
#endif
}

/** The address of a variable in the shared memory of another CTA of the cluster. */
DEVICE uint32_t at_rank(const void *p, uint32_t rank) {
  uint32_t address = 0;
#if HAS_HOPPER
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(at(p)), "r"(rank));
#endif
  return address;
}

DEVICE void arrive_remote(uint32_t bar) {
#if HAS_HOPPER
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory");
#endif
}

DEVICE uint32_t cluster_rank() {
  uint32_t rank = 0;
#if HAS_HOPPER
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
  return rank;
}

DEVICE void cluster_sync() {
#if HAS_HOPPER
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
#endif
}

DEVICE void bulk_copy(uint32_t to, const void *from, uint32_t bytes, uint64_t *bar) {
#if HAS_HOPPER
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          to),
      "l"(from), "r"(bytes), "r"(at(bar))
      : "memory");
#endif
}

DEVICE void bulk_copy(void *to, const void *from, uint32_t bytes, uint64_t *bar) { bulk_copy(at(to), from, bytes, bar); }

DEVICE void bulk_multicast(void *to, const void *from, uint32_t bytes, uint64_t *bar, uint16_t mask) {
#if HAS_HOPPER
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1], %2, [%3], %4;" ::"r"(at(to)),
      "l"(from), "r"(bytes), "r"(at(bar)), "h"(mask)
      : "memory");
#endif
}

/** A copy from this CTA's shared memory into that of another one, which signals there. */
DEVICE void bulk_to_rank(uint32_t to, const void *from, uint32_t bytes, uint32_t bar) {
#if HAS_HOPPER
  asm volatile(
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(to),
      "r"(at(from)), "r"(bytes), "r"(bar)
      : "memory");
#endif
}

DEVICE void bulk_reduce_to_rank(uint32_t to, const void *from, uint32_t bytes, uint32_t bar) {
#if HAS_HOPPER
  asm volatile(
      "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], %2, [%3];" ::
          "r"(to),
      "r"(at(from)), "r"(bytes), "r"(bar)
      : "memory");
#endif
}

DEVICE void tensor_copy(void *to, const void *map, int x, int y, uint64_t *bar) {
#if HAS_HOPPER
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
      "{%2, %3}], [%4];" ::"r"(at(to)),
      "l"(map), "r"(x), "r"(y), "r"(at(bar))
      : "memory");
#endif
}

DEVICE void bulk_store(void *to, const void *from, uint32_t bytes) {
#if HAS_HOPPER
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at(from)),
               "r"(bytes)
               : "memory");
#endif
}

DEVICE void bulk_reduce(void *to, const void *from, uint32_t bytes) {
#if HAS_HOPPER
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(to),
               "r"(at(from)), "r"(bytes)
               : "memory");
#endif
}

DEVICE void bulk_commit() {
#if HAS_HOPPER
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#endif
}

template <int pending> DEVICE void bulk_wait_read() {
#if HAS_HOPPER
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
#endif
}

template <int pending> DEVICE void bulk_wait() {
#if HAS_HOPPER
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

DEVICE void fence_async() {
#if HAS_HOPPER
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/** 16 bytes by one thread; the barrier counts an arrival of it when they have landed. */
DEVICE void async_16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(to)), "l"(from) : "memory");
}

DEVICE void async_arrive(uint64_t *bar) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(bar)) : "memory");
}

/** A barrier of some warps of the CTA. */
DEVICE void named_sync(int id, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/** The same, and whether one of them says so. */
DEVICE bool any_of(int id, int threads, bool says) {
  uint32_t any;
  asm volatile(
      "{\n.reg .pred p, q;\n"
      "setp.ne.u32 p, %3, 0;\n"
      "barrier.red.or.pred q, %1, %2, p;\n"
      "selp.u32 %0, 1, 0, q;\n}"
      : "=r"(any)
      : "r"(id), "r"(threads), "r"(static_cast<uint32_t>(says))
      : "memory");
  return any;
}

DEVICE void named_arrive(int id, int threads) {
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/** Where a role is in a ring: the stage and the parity of its phase, counted as kernels do. */
struct Place {
  int stages, stage = 0;
  uint32_t phase;
  /** A consumer waits for parity 0 first, a producer for 1. */
  DEVICE explicit Place(int stages, uint32_t first = 0) : stages(stages), phase(first) {}
  DEVICE void next() {
    if (++stage == stages) stage = 0, phase ^= 1;
  }
};
