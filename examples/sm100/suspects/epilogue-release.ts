// Suspect: EpilogueStage "must be released to free the stage for the MMA", and its release frees
// nothing: it only steps. No kernel uses it alone.
// Why: an accumulator is freed by AccumBarrier.arrive in the tile writer, in every kernel that has
// one. Used as its message says, the MMA warp waits for ever after accumStages items.
// Fix: arrive after the last load, `--set arrives=true`.
//
//   role      waits for                         signals
//   mma       accum.empty[a]; tmem_dealloc      accum.full[a], by a commit
//   epilogue  accum.full[a]                     accum.empty[a], if it arrives; tmem_dealloc
import { count, end, kernel, loop } from 'poundlock';
import {
  AccumBarrier,
  clusterOf,
  EpilogueWarp,
  MmaOpSM100,
  MmaWarp,
  SmemPipelineBundle,
  WarpRoles,
} from 'poundlock/sm100';

const defaults = { accumStages: 2, items: 3, arrives: false };

export default kernel('epilogue-release', defaults, ({ accumStages, items: total, arrives }) => {
  const opc = { numStages: accumStages, stageStrideCols: 64, ctaGroup: 1 } as const;
  const smem = new SmemPipelineBundle(opc);
  const items = count(total);
  const [ctx] = clusterOf({ m: 1, n: 1, ctaGroup: 1 });
  const warps = new WarpRoles(ctx!, () => smem.initBarriers());

  const mma = warps.mma(function* () {
    const mmaOp = new MmaOpSM100(ctx!);
    const mmaHandle = yield* MmaWarp.create(smem, ctx!.mmaCompleteMask);
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      const stage = yield* mmaHandle.acquireKStageLinear();
      mmaOp.mma([], stage.tmem.tensor);
      stage.release(); // commits
      return null;
    });
    mmaHandle.release();
  });

  const epilogue = warps.epilogue(function* () {
    const published = yield* smem.types.Sync.wait();
    const epiHandle = EpilogueWarp.create(smem, ctx!.mmaCompleteMask, published);
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      const stage = yield* epiHandle.acquireKStageLinear();
      stage.tmem.loadUpper();
      yield* stage.tmem.waitLoad();
      const { pipeline, index } = stage.outputStage;
      if (arrives) AccumBarrier.arrive(pipeline, index);
      stage.release(); // only steps
      return null;
    });
    epiHandle.release();
  });

  return [mma, epilogue];
});
