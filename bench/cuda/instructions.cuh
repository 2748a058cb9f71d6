// Cycles of single instructions, back to back, by how many threads of a CTA execute them.
#pragma once
#include "rings.cuh"

struct Context {
  uint64_t *bar;
  uint32_t remote_bar, remote, mine;
  const char *from;
  uint32_t x, y, z, w;
  uint64_t wide;
  /** Generic addresses of words that hold their own address, in shared and in global memory. */
  uint64_t flat_shared, flat_global;
  float f;

  /** Of all registers that instructions write. */
  DEVICE uint32_t sum() const {
    return x + y + z + w + static_cast<uint32_t>(wide + flat_shared + flat_global) + __float_as_uint(f);
  }
};

constexpr int OPS = 256;

#if HAS_HOPPER
#define HOPPER(code) code
#else
#define HOPPER(code)
#endif

/** OP(type, name, code): one instruction that is measured; `c` is the context. */
#define OP(type, label, code)                        \
  struct type {                                      \
    static constexpr const char *name = label;       \
    DEVICE static void go(Context &c) { code; }      \
  }

OP(Sync, "bar.sync", asm volatile("barrier.sync.aligned 1, %0;" ::"r"(blockDim.x) : "memory"));
OP(WarpSync, "bar.warp.sync", __syncwarp());
// Half of the warps and the other half take turns: what waits for nobody would arrive twice.
OP(Turns, "bar.arrive+bar.sync round trip", if (threadIdx.x < blockDim.x / 2) { named_arrive(2, blockDim.x); named_sync(3, blockDim.x); } else { named_sync(2, blockDim.x); named_arrive(3, blockDim.x); });
OP(Arrive, "mbarrier.arrive", arrive(c.bar));
OP(ArriveOnce, "mbarrier.arrive elected", if (threadIdx.x % 32 == 0) arrive(c.bar));
OP(TryReady, "mbarrier.try_wait ready", try_wait(c.bar + 1, 1));
OP(TestReady, "mbarrier.test_wait", test_wait(c.bar + 1, 1));
OP(MembarCta, "fence.acq_rel.cta", asm volatile("fence.acq_rel.cta;" ::: "memory"));
OP(MembarGpu, "fence.acq_rel.gpu", asm volatile("fence.acq_rel.gpu;" ::: "memory"));
OP(LoadShared, "ld.shared.u32 chain", asm volatile("ld.shared.u32 %0, [%1];" : "=r"(c.x) : "r"(c.x)));
OP(LoadShared128, "ld.shared.v4.u32", asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(c.x), "=r"(c.y), "=r"(c.z), "=r"(c.w) : "r"(c.mine)));
OP(StoreShared, "st.shared.u32", asm volatile("st.shared.u32 [%0], %1;" ::"r"(c.mine), "r"(c.y) : "memory"));
OP(StoreShared128, "st.shared.v4.u32", asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(c.mine), "r"(c.y) : "memory"));
OP(LoadGlobal, "ld.global.cg.u64 chain", asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(c.wide)));
OP(LoadCached, "ld.global.ca.u64 chain", asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(c.wide)));
OP(StoreGlobal, "st.global.u32", asm volatile("st.global.u32 [%0], %1;" ::"l"(c.from), "r"(c.y) : "memory"));
OP(LoadFlatShared, "ld.u64 of shared chain", asm volatile("ld.u64 %0, [%0];" : "+l"(c.flat_shared)));
OP(LoadFlatGlobal, "ld.u64 of global chain", asm volatile("ld.u64 %0, [%0];" : "+l"(c.flat_global)));
OP(LoadFlatWeak, "ld.cg.u64 of global chain", asm volatile("ld.cg.u64 %0, [%0];" : "+l"(c.flat_global)));
OP(StoreFlatShared, "st.u64 to shared", asm volatile("st.u64 [%0], %0;" ::"l"(c.flat_shared) : "memory"));
OP(StoreFlatGlobal, "st.u64 to global", asm volatile("st.u64 [%0], %0;" ::"l"(c.flat_global) : "memory"));
OP(AtomFlatShared, "atom.add.u64 of shared", asm volatile("{.reg .u64 t; atom.add.u64 t, [%0], 0;}" ::"l"(c.flat_shared) : "memory"));
OP(LoadMatrix1, "ldmatrix.x1", asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(c.x) : "r"(c.mine)));
OP(LoadMatrix2, "ldmatrix.x2", asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(c.x), "=r"(c.y) : "r"(c.mine)));
OP(LoadMatrix4, "ldmatrix.x4", asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(c.x), "=r"(c.y), "=r"(c.z), "=r"(c.w) : "r"(c.mine)));
OP(AtomShared, "atom.shared.add.u32", asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(c.y) : "r"(c.mine) : "memory"));
OP(AtomGlobal, "atom.global.add.u32", asm volatile("atom.global.add.u32 %0, [%1], 0;" : "=r"(c.y) : "l"(c.from) : "memory"));
OP(Shuffle, "shfl.sync.idx chain", asm volatile("shfl.sync.idx.b32 %0, %0, 0, 0x1f, 0xffffffff;" : "+r"(c.x)));
OP(Vote, "vote.sync.ballot", asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;}" : "+r"(c.x)));
OP(Fma, "fma.rn.f32 chain", asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(c.f)));
OP(Exp, "ex2.approx.f32 chain", asm volatile("ex2.approx.f32 %0, %0;" : "+f"(c.f)));
OP(ExpFlushed, "ex2.approx.ftz.f32 chain", asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(c.f)));
OP(Reciprocal, "rcp.approx.ftz.f32 chain", asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(c.f)));
OP(ReciprocalRounded, "rcp.rn.f32 chain", asm volatile("rcp.rn.f32 %0, %0;" : "+f"(c.f)));
OP(DivideFloat, "div.rn.f32 chain", asm volatile("div.rn.f32 %0, %0, %1;" : "+f"(c.f) : "f"(__uint_as_float(c.y + 0x3f800000u))));
OP(Root, "sqrt.rn.f32 chain", asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(c.f)));
OP(MaxFloat, "max.f32 chain", asm volatile("max.f32 %0, %0, %1;" : "+f"(c.f) : "f"(__uint_as_float(c.y))));
OP(FmaPair, "fma.rn.bf16x2 chain", HOPPER(asm volatile("fma.rn.bf16x2 %0, %0, %0, %0;" : "+r"(c.x))));
OP(FmaDouble, "fma.rn.f64 chain", asm volatile("{.reg .f64 d; mov.b64 d, %0; fma.rn.f64 d, d, d, d; mov.b64 %0, d;}" : "+l"(c.wide)));
OP(ToPair, "cvt.rn.bf16x2.f32 chain", HOPPER(asm volatile("cvt.rn.bf16x2.f32 %0, %1, %1;" : "=r"(c.x) : "f"(c.f)); c.f = __uint_as_float(c.x)));
OP(ToInteger, "cvt.rzi.s32.f32+cvt.rn.f32.s32 chain", asm volatile("{.reg .s32 i; cvt.rzi.s32.f32 i, %0; cvt.rn.f32.s32 %0, i;}" : "+f"(c.f)));
OP(Choose, "setp+selp chain", asm volatile("{.reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, %2, p;}" : "+r"(c.x) : "r"(c.y), "r"(c.z)));
OP(Shift, "shf.l.wrap.b32 chain", asm volatile("shf.l.wrap.b32 %0, %0, %1, %0;" : "+r"(c.x) : "r"(c.y)));
OP(Logic, "lop3.b32 chain", asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(c.x) : "r"(c.y), "r"(c.z)));
OP(Count, "popc.b32 chain", asm volatile("popc.b32 %0, %0;" : "+r"(c.x)));
OP(Reduce, "redux.sync.add.u32 chain", asm volatile("redux.sync.add.u32 %0, %0, 0xffffffff;" : "+r"(c.x)));
OP(Round, "loop of one branch", asm volatile("{.reg .pred p; .reg .u32 i; mov.u32 i, 16;\nROUND: add.u32 i, i, -1; setp.ne.u32 p, i, 0; @p bra ROUND;}"::: "memory"));
OP(ClockLoop, "%clock+sub+setp", asm volatile("{.reg .pred p; .reg .u32 t; mov.u32 t, %%clock; sub.u32 t, t, %0; setp.gt.u32 p, t, 7; selp.u32 %0, 1, 2, p;}" : "+r"(c.x)));
OP(Multiply16, "mma.sync.m16n8k16 chain", asm volatile("{.reg .f32 a<4>; mov.f32 a0, %0; mov.f32 a1, %0; mov.f32 a2, %0; mov.f32 a3, %0; mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {a0, a1, a2, a3}, {%1, %1, %1, %1}, {%1, %1}, {a0, a1, a2, a3}; mov.f32 %0, a0;}" : "+f"(c.f) : "r"(c.x)));
OP(Multiply16Apart, "mma.sync.m16n8k16", asm volatile("{.reg .f32 a<4>; mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {a0, a1, a2, a3}, {%1, %1, %1, %1}, {%1, %1}, {%0, %0, %0, %0};}" : "+f"(c.f) : "r"(c.x)));
OP(Multiply8, "mma.sync.m16n8k8 chain", asm volatile("{.reg .f32 a<4>; mov.f32 a0, %0; mov.f32 a1, %0; mov.f32 a2, %0; mov.f32 a3, %0; mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {a0, a1, a2, a3}, {%1, %1}, {%1}, {a0, a1, a2, a3}; mov.f32 %0, a0;}" : "+f"(c.f) : "r"(c.x)));
OP(MatrixChain, "ldmatrix.x4 chain", asm volatile("{.reg .u32 b, d, e; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, b, d, e}, [%1];} " : "=r"(c.x) : "r"(c.x & 0x7ff0u | c.mine & ~0x7fffu)));
OP(Add, "add.u32 chain", asm volatile("add.u32 %0, %0, %1;" : "+r"(c.x) : "r"(c.y)));
OP(MulAdd, "mad.lo.u32 chain", asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(c.x) : "r"(c.y)));
OP(Divide, "div.u32 chain", asm volatile("div.u32 %0, %1, %0;" : "+r"(c.x) : "r"(c.y)));
OP(AddWide, "add.u64 chain", asm volatile("add.u64 %0, %0, %0;" : "+l"(c.wide)));
OP(ReadClock, "mov.u64 %clock64", asm volatile("mov.u64 %0, %%clock64;" : "=l"(c.wide)));
OP(Nothing, "nothing", asm volatile("" ::: "memory"));
OP(AsyncCopy, "cp.async.cg 16", asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(c.mine), "l"(c.from) : "memory"));
OP(AsyncGroup, "cp.async.commit_group+wait_group 0", asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory"));
OP(ArriveExpect, "mbarrier.arrive.expect_tx 0", arrive_expect(c.bar, 0));
OP(ArriveRemote, "mbarrier.arrive.shared::cluster", arrive_remote(c.remote_bar));
OP(FenceAsync, "fence.proxy.async.shared::cta", fence_async());
OP(FenceAsyncAll, "fence.proxy.async", HOPPER(asm volatile("fence.proxy.async;" ::: "memory")));
OP(FenceInit, "fence.mbarrier_init.release.cluster", fence_init());
OP(FenceCluster, "fence.acq_rel.cluster", HOPPER(asm volatile("fence.acq_rel.cluster;" ::: "memory")));
OP(ClusterSync, "barrier.cluster.arrive+wait", cluster_sync());
OP(Elect, "elect.sync", HOPPER(asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(c.x))));
OP(BulkGroup, "cp.async.bulk.commit_group+wait_group 0", bulk_commit(); bulk_wait<0>());
OP(Mapa, "mapa", HOPPER(asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(c.y) : "r"(c.mine))));
OP(LoadRemote, "ld.shared::cluster.u32 chain", HOPPER(asm volatile("ld.shared::cluster.u32 %0, [%1];\nadd.u32 %1, %1, %0;" : "=r"(c.x), "+r"(c.remote))));
OP(StoreRemote, "st.shared::cluster.u32", HOPPER(asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(c.remote), "r"(c.y) : "memory")));
OP(LoadRemote128, "ld.shared::cluster.v4.u32", HOPPER(asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(c.x), "=r"(c.y), "=r"(c.z), "=r"(c.w) : "r"(c.remote))));
OP(StoreRemote128, "st.shared::cluster.v4.u32", HOPPER(asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(c.remote), "r"(c.y) : "memory")));
OP(StoreAsync, "st.async.shared::cluster.u32", HOPPER(asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(c.remote), "r"(c.y), "r"(c.remote_bar) : "memory")));
OP(AtomRemote, "atom.shared::cluster.add.u32", HOPPER(asm volatile("atom.relaxed.cluster.shared::cluster.add.u32 %0, [%1], 0;" : "=r"(c.y) : "r"(c.remote) : "memory")));
OP(StoreMatrix4, "stmatrix.x4", HOPPER(asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(c.mine), "r"(c.y) : "memory")));
OP(Prefetch, "cp.async.bulk.prefetch.L2 4 KiB", HOPPER(asm volatile("cp.async.bulk.prefetch.L2.global [%0], 4096;" ::"l"(c.from) : "memory")));
OP(GridDependency, "griddepcontrol.wait", HOPPER(asm volatile("griddepcontrol.wait;" ::: "memory")));
#if HAS_WGMMA
#define WGMMA(code) code
#else
#define WGMMA(code)
#endif
OP(Registers, "setmaxnreg.dec+inc", WGMMA(asm volatile("setmaxnreg.dec.sync.aligned.u32 152;\nsetmaxnreg.inc.sync.aligned.u32 168;" ::: "memory")));

template <class Op> __global__ void __launch_bounds__(384, 1) cost(const char *from, int lanes, Span *spans, uint32_t *kept) {
  __shared__ uint64_t bar[2];
  const uint32_t peer = gridDim.x > 1 ? cluster_rank() ^ 1 : 0;
  if (threadIdx.x == 0) {
    barrier_init(&bar[0], lanes), barrier_init(&bar[1], 1);
    fence_init();
  }
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) reinterpret_cast<uint32_t *>(shared)[i] = 0;
  __syncthreads();
  // Read back, so that no compiler knows which memory the addresses are of.
  volatile uint64_t *const own = reinterpret_cast<uint64_t *>(shared + 8192) + threadIdx.x;
  volatile uint64_t *const far = reinterpret_cast<uint64_t *>(const_cast<char *>(from) + 131072) + threadIdx.x;
  *own = reinterpret_cast<uint64_t>(own), *far = reinterpret_cast<uint64_t>(far);
  const uint64_t flat_shared = *own, flat_global = *far;
  Context c{bar, at_rank(bar, peer), at_rank(shared, peer) + 16384 + threadIdx.x * 16, at(shared) + threadIdx.x * 16,
            from + threadIdx.x * 16, at(shared), 3, 5, 7, reinterpret_cast<uint64_t>(from), flat_shared, flat_global, 1.0f};
  reinterpret_cast<uint32_t *>(shared)[0] = c.x;
  cluster_sync();
  __syncthreads();
  if (threadIdx.x < lanes) {
    for (int i = 0; i < 4; i++) Op::go(c);
    const Clock clock = Clock::start();
#pragma unroll 16
    for (int i = 0; i < OPS; i++) Op::go(c);
    // The clock is read when all results are there.
    *reinterpret_cast<volatile uint32_t *>(shared + 24576) = c.sum();
    if (threadIdx.x == 0) clock.stop(spans);
  }
  if (c.sum() == 0x12345678u) *kept = c.x;
  __syncthreads();
  cluster_sync();
}

/** Rows of one instruction for numbers of threads; 1 is a lane whose warp has gone apart. */
template <class Op> void cost_row(Table &table, const std::vector<int> &threads, int cluster = 1) {
  for (const int lanes : threads) {
    const std::string key = text("%s,%d,%d", Op::name, lanes, cluster);
    if (!table.wants(key)) continue;
    const Times times = measure("instructions " + key, cluster, false, [&](bool) {
      launch(cost<Op>, {cluster, std::max(lanes, 32), 32768, cluster}, static_cast<const char *>(machine.sink), lanes, machine.spans,
             reinterpret_cast<uint32_t *>(machine.sink + 65536));
    });
    table.add(key, text("%.1f,%.0f", quantile(times.middle, 0.5) / OPS, quantile(times.mhz, 0.5)));
  }
}

template <class... Ops> void cost_rows(Table &table, const std::vector<int> &threads, int cluster = 1) {
  (cost_row<Ops>(table, threads, cluster), ...);
}

inline void measure_instructions() {
  Table table("instructions", "instruction,threads,cluster", "cycles,mhz");
  // A pointer that leads to itself, for the chain of loads.
  const uint64_t self = reinterpret_cast<uint64_t>(machine.sink);
  CHECK(cudaMemset(machine.sink, 0, 1 << 20));
  CHECK(cudaMemcpy(machine.sink, &self, sizeof self, cudaMemcpyHostToDevice));
  const std::vector<int> any = {1, 32, 128, 256, 384}, warps = {32, 64, 128, 256, 384};
  cost_rows<Nothing, ReadClock, Arrive, TryReady, TestReady, MembarCta, MembarGpu, LoadShared, LoadShared128, StoreShared,
            StoreShared128, AtomShared, Fma, Exp, Add, MulAdd, Divide, AddWide, AsyncGroup>(table, any);
  cost_rows<ExpFlushed, Reciprocal, ReciprocalRounded, DivideFloat, Root, MaxFloat, FmaDouble, ToInteger, Choose, Shift, Logic, Count,
            Reduce, ClockLoop, Multiply16, Multiply16Apart, Multiply8, MatrixChain>(table, {32, 128, 256, 384});
  cost_rows<Round>(table, {1, 32, 128, 256});
  cost_rows<LoadGlobal, LoadCached>(table, {1});
  cost_rows<StoreGlobal, LoadFlatShared, LoadFlatGlobal, LoadFlatWeak, StoreFlatShared, StoreFlatGlobal, AtomFlatShared>(table, {1, 32, 128});
  cost_rows<AtomGlobal, AsyncCopy>(table, {1, 32, 128});
  cost_rows<Sync, WarpSync, LoadMatrix1, LoadMatrix2, LoadMatrix4, Shuffle, Vote>(table, warps);
  cost_rows<Turns>(table, {64, 128, 256});
  if (!machine.hopper) return;
  cost_rows<ArriveExpect, FenceAsync, FenceAsyncAll, FenceInit, FenceCluster, BulkGroup, Mapa>(table, any);
  cost_rows<Elect, StoreMatrix4, FmaPair, ToPair>(table, warps);
  cost_rows<Prefetch, GridDependency>(table, {1, 32});
  cost_rows<ArriveRemote>(table, {1, 32, 128}, 2);
  cost_rows<LoadRemote>(table, {1}, 2);
  cost_rows<LoadRemote128, StoreRemote, StoreRemote128, StoreAsync, AtomRemote>(table, {1, 32, 128}, 2);
  for (int cluster : {1, 2, 4, 8, 16}) cost_rows<ClusterSync>(table, {32, 128, 384}, cluster);
  if (machine.wgmma) cost_rows<Registers>(table, {128, 256, 384});
}
