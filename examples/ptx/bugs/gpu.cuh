// The instructions that the kernels of this folder use, as functions: one instruction each.
#pragma once
#include <cstdint>

/** Whether the kernel has the fix; -DFIXED=true compiles it. */
#ifndef FIXED
#define FIXED false
#endif

#define INLINE __device__ __forceinline__
/** Before a loop: keeps its PTX short. */
#define rolled _Pragma("unroll 1")
using Bar = uint64_t;

/** A tensor map, which only the host and the copies look into. */
struct alignas(64) Map { char bytes[128]; };

INLINE uint32_t at(const void *shared) { return (uint32_t)__nv_cvta_generic_to_shared_impl(shared); }
INLINE int lane() { return threadIdx.x % 32; }
INLINE int warp() { return threadIdx.x / 32; }
INLINE void syncWarp() { asm volatile("bar.warp.sync -1;" ::: "memory"); }
INLINE bool elected() { uint32_t is; asm volatile("{\n.reg .b32 r;\n.reg .pred p;\nelect.sync r|p, -1;\nselp.b32 %0, 1, 0, p;\n}" : "=r"(is)); return is; }

// barriers in shared memory
INLINE void init(Bar *b, int arrivals) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(arrivals) : "memory"); }
INLINE void fenceInit() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
INLINE void inval(Bar *b) { asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at(b)) : "memory"); }
INLINE void wait(Bar *b, int parity) { asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;\n}" ::"r"(at(b)), "r"(parity) : "memory"); }
INLINE void waitCluster(Bar *b, int parity) { asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;\n}" ::"r"(at(b)), "r"(parity) : "memory"); }
INLINE void arrive(Bar *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory"); }
INLINE void expect(Bar *b, int bytes) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory"); }
INLINE void expectOnly(Bar *b, int bytes) { asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory"); }
INLINE uint32_t peerAddress(const void *shared, int cta) { uint32_t a; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(at(shared)), "r"(cta)); return a; }
INLINE void arriveAt(Bar *b, int cta) { asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(peerAddress(b, cta)) : "memory"); }
INLINE void arriveAtCtaScope(Bar *b, int cta) { asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(peerAddress(b, cta)) : "memory"); }

// the same for sm_80, where an arrival has a token and a wait is a test
INLINE void waitOld(Bar *b, int parity) { asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN;\n}" ::"r"(at(b)), "r"(parity) : "memory"); }
INLINE void arriveOld(Bar *b) { asm volatile("{\n.reg .b64 token;\nmbarrier.arrive.shared.b64 token, [%0];\n}" ::"r"(at(b)) : "memory"); }

// named barriers and the barrier of the cluster
INLINE void syncNamed(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
INLINE void syncNamedUnaligned(int id, int threads) { asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
INLINE void arriveNamed(int id, int threads) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
INLINE int cta() { uint32_t r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
INLINE void arriveCluster() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
INLINE void arriveClusterRelaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
INLINE void waitForCluster() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
INLINE void syncCluster() { arriveCluster(); waitForCluster(); }

// memory of the peer
INLINE void storeAt(const void *shared, int cta, uint32_t v) { asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(peerAddress(shared, cta)), "r"(v) : "memory"); }
INLINE uint32_t loadAt(const void *shared, int cta) { uint32_t v; asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(peerAddress(shared, cta)) : "memory"); return v; }

// copies
INLINE void copy(void *to, const void *from, int bytes, Bar *b) { asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)), "l"(from), "r"(bytes), "r"(at(b)) : "memory"); }
INLINE void copyToAll(void *to, const void *from, int bytes, Bar *b, int ctas) { asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at(to)), "l"(from), "r"(bytes), "r"(at(b)), "h"((uint16_t)ctas) : "memory"); }
INLINE void copyToPeer(void *to, const void *from, int bytes, Bar *b, int cta) { asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(peerAddress(to, cta)), "r"(at(from)), "r"(bytes), "r"(peerAddress(b, cta)) : "memory"); }
INLINE void copyTile(void *to, const Map *map, int x, int y, Bar *b) { asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(b)) : "memory"); }
INLINE void storeBulk(void *to, const void *from, int bytes) { asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at(from)), "r"(bytes) : "memory"); }
INLINE void commitBulk() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int left> INLINE void waitBulkRead() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(left) : "memory"); }
template <int left> INLINE void waitBulk() { asm volatile("cp.async.bulk.wait_group %0;" ::"n"(left) : "memory"); }
INLINE void copy16(void *to, const void *from) { asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(to)), "l"(from) : "memory"); }
INLINE void commitCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int left> INLINE void waitCopies() { asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory"); }
INLINE void fenceAsync() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// tensor cores of sm_90
/** Rows of 16 values without swizzle: blocks of 8 rows of 16 bytes, 2 along K, then the next 8 rows. */
INLINE uint64_t operand(const void *tile) { return (at(tile) & 0x3FFFF) >> 4 | 8ull << 16 | 16ull << 32; }
INLINE void fenceWgmma() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
INLINE void wgmma(float *d, uint64_t a, uint64_t b) { asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b)); }
INLINE void commitWgmma() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int left> INLINE void waitWgmma() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory"); }
template <int left> INLINE void waitWgmma(float *d) { asm volatile("wgmma.wait_group.sync.aligned %4;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "n"(left) : "memory"); }
template <int registers> INLINE void lessRegisters() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers)); }
template <int registers> INLINE void moreRegisters() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers)); }

// grids that overlap
INLINE void waitForGridBefore() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
INLINE void letNextGridBegin() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

// tensor maps that the kernel makes in global memory
INLINE void turnMap(Map *map, void *base) { asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map), "l"(base) : "memory"); }
INLINE void releaseMap() { asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory"); }
INLINE void acquireMap(Map *map) { asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory"); }
