// Tensor memory and tensor cores of sm_100: one instruction each, for one CTA and for a pair.
#pragma once
#include "gpu.cuh"

/** Columns are the lower half of an address in tensor memory, lanes the upper one. */
INLINE uint32_t lanesOf(int warpOfFour) { return warpOfFour << 21; }

INLINE void allocate(uint32_t *where, int columns) { asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(at(where)), "r"(columns) : "memory"); }
INLINE void relinquish() { asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"); }
INLINE void deallocate(uint32_t columns, int count) { asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(columns), "r"(count)); }
INLINE void allocatePair(uint32_t *where, int columns) { asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(at(where)), "r"(columns) : "memory"); }
INLINE void relinquishPair() { asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;"); }
INLINE void deallocatePair(uint32_t columns, int count) { asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;" ::"r"(columns), "r"(count)); }

INLINE void fenceBefore() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
INLINE void fenceAfter() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }

INLINE uint64_t operand100(const void *tile) { return operand(tile) | 1ull << 46; }
INLINE constexpr uint32_t shape(int m, int n) { return 1u << 4 | 1u << 7 | 1u << 10 | (uint32_t)(n / 8) << 17 | (uint32_t)(m / 16) << 24; }
INLINE void mma(uint32_t d, uint64_t a, uint64_t b, uint32_t shape) { asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, 1;" ::"r"(d), "l"(a), "l"(b), "r"(shape) : "memory"); }
INLINE void mmaTensorA(uint32_t d, uint32_t a, uint64_t b, uint32_t shape) { asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], %2, %3, 1;" ::"r"(d), "r"(a), "l"(b), "r"(shape) : "memory"); }
INLINE void mmaPair(uint32_t d, uint64_t a, uint64_t b, uint32_t shape) { asm volatile("tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, 1;" ::"r"(d), "l"(a), "l"(b), "r"(shape) : "memory"); }
INLINE void copyScales(uint32_t to, uint64_t from) { asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(to), "l"(from) : "memory"); }
INLINE void commit(Bar *b) { asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(at(b)) : "memory"); }
INLINE void commitPair(Bar *b, int ctas) { asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(at(b)), "h"((uint16_t)ctas) : "memory"); }

INLINE uint32_t loadColumn(uint32_t from) { uint32_t v; asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(v) : "r"(from)); return v; }
INLINE void storeColumn(uint32_t to, uint32_t v) { asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(to), "r"(v) : "memory"); }
INLINE void waitLoads() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
INLINE void waitStores() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }

/** A tile of a CTA pair: its bytes count on the barrier of the even CTA. */
INLINE void copyTilePair(void *to, const Map *map, int x, int y, Bar *b) { asm volatile("cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(b) & 0xFEFFFFFF) : "memory"); }

// work from the hardware: an answer of 16 bytes, which says which block was cancelled
INLINE void cancelNext(uint4 *answer, Bar *b) { asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];" ::"r"(at(answer)), "r"(at(b)) : "memory"); }
INLINE void cancelNextForAll(uint4 *answer, Bar *b) { asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [%0], [%1];" ::"r"(at(answer)), "r"(at(b)) : "memory"); }
/** The first block of the cluster that was cancelled, or -1. */
INLINE int firstOf(const uint4 *answer) { int x; asm volatile("{\n.reg .b128 a;\n.reg .pred p;\nld.shared.b128 a, [%1];\nclusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, a;\nmov.u32 %0, -1;\n@p clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %0, a;\n}" : "=r"(x) : "r"(at(answer)) : "memory"); return x; }

/** Clears shared memory; the bytes are a multiple of 8. */
INLINE void clearBulk(void *to, int bytes) { asm volatile("st.bulk.weak.shared::cta [%0], %1, 0;" ::"r"(at(to)), "l"((uint64_t)bytes) : "memory"); }
