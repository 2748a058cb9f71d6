// The rules of beginnings and ends: T1, T2, T15, T16, T17, T21, each broken on request.
//
// Shows: the lifetime of a kernel: barriers are initialized, tensor memory is allocated, published,
// read once and freed, and all warps end together. `--set violates=T2` breaks that rule. What the
// checker says of each is in docs/reference/typestate.md.
// Unlike tiles, no ring goes round more than once.
//
//   warp  role       waits for                           signals
//   0–3   epilogue   named barrier 1; accum.full         accum.empty; tmem_dealloc; the exit barrier
//   4     scheduler  the exit barrier
//   6     mma        accum.empty; tmem_dealloc           named barrier 1; accum.full; the exit barrier
import { arriveNamed, fence, kernel, role, syncCluster, syncNamed } from 'poundlock';
import {
  AccumBarrier,
  clusterOf,
  EpilogueWarpContext,
  MmaOpSM100,
  MmaWarpContext,
  OutputTilePipeline,
  SmemPipelineBundle,
  TmemAllocation,
} from 'poundlock/sm100';

const opc = { numStages: 1, stageStrideCols: 256, ctaGroup: 1 } as const;

export default kernel('life', { violates: 'none' }, ({ violates }) => {
  const smem = new SmemPipelineBundle(opc);
  const [ctx] = clusterOf({ m: 1, n: 1, ctaGroup: 1 });
  const mask = ctx!.mmaCompleteMask;
  // T1: there is no wait for the initialization of the barriers
  const begin = function* () {
    if (violates !== 'T1') yield* syncCluster();
  };

  const mma = role('mma', { lanes: 32 }, function* () {
    yield* begin();
    if (violates === 'T21') arriveNamed(2, 32 + 32); // the epilogue counts on 160
    const tmem = yield* TmemAllocation.allocate(smem.tmemAddr);
    const output = new OutputTilePipeline(smem.accumBarriers, tmem, mask);
    const mmaCtx = new MmaWarpContext(smem.types.Sync, tmem, output, smem.tmemDealloc);
    const mmaOp = new MmaOpSM100(ctx!);
    if (violates !== 'T16') {
      using _tmemLifecycle = mmaCtx.enter();
      using stage = yield* output.producer();
      mmaOp.mma([], stage.tmem.tensor);
    } else {
      smem.types.Sync.arrive();
      const stage = yield* output.acquireMmaLinear();
      mmaOp.mma([], stage.tmem.tensor);
      stage.release();
      yield* smem.tmemDealloc.wait(); // T16: keeps the permit
      tmem.deallocate();
    }
    yield* syncCluster();
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    smem.initBarriers();
    fence('mbarrier.init');
    yield* begin();
    if (violates === 'T21') yield* syncNamed(2, 32 + 128);
    // T2: reads the address before it is published, which the types refuse
    const isEarly = violates === 'T2';
    const published = isEarly ? (null as never) : yield* smem.types.Sync.wait();
    const epiCtx = EpilogueWarpContext.create(smem, mask, published);
    if (isEarly) yield* smem.types.Sync.wait();
    const stage = yield* epiCtx.outputPipeline.acquireEpilogueLinear();
    if (violates === 'T15') smem.tmemDealloc.signalComplete(); // before the last read
    const { pipeline, index, tmem } = stage.outputStage;
    tmem.loadUpper();
    yield* tmem.waitLoad();
    AccumBarrier.arrive(pipeline, index);
    stage.release();
    if (violates !== 'T15') smem.tmemDealloc.signalComplete();
    yield* syncCluster();
  });

  const scheduler = role('scheduler', { lanes: 32 }, function* () {
    yield* begin();
    if (violates === 'T17') return; // T17: the others wait for it at the exit barrier
    yield* syncCluster();
  });

  return [mma, epilogue, scheduler];
});
