// The barrier and copy instructions of sm_90 as functions.
#pragma once
#include <cstdint>

__device__ __forceinline__ uint32_t shared(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

/** Initializes a barrier for a number of arrivals in each phase. */
__device__ __forceinline__ void init(uint64_t *barrier, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(barrier)), "r"(arrivals) : "memory");
}

/** Waits for the end of a phase, by its parity. */
__device__ __forceinline__ void wait(uint64_t *barrier, uint32_t parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra AGAIN;\n}" ::"r"(shared(barrier)), "r"(parity) : "memory");
}

__device__ __forceinline__ void arrive(uint64_t *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(barrier)) : "memory");
}

/** Arrives, and expects bytes of copies in this phase. */
__device__ __forceinline__ void expect(uint64_t *barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(barrier)), "r"(bytes) : "memory");
}

/** Starts a bulk copy into shared memory, which completes its bytes at a barrier. */
__device__ __forceinline__ void copy(void *to, const void *from, uint32_t bytes, uint64_t *barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared(to)),
               "l"(from), "r"(bytes), "r"(shared(barrier)) : "memory");
}
