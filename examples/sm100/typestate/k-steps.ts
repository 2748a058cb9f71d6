// The rules of kernels that hand an accumulator over in every k step: T10 and T11.
//
// Shows: the epilogue of blockwise FP8, with its two duties in every k step: to free the scales of A
// when they are in registers, and to free the accumulator. `--set violates=T10` leaves the second
// out, `--set violates=T11` does the first too early: docs/reference/typestate.md has the verdicts.
// Unlike tiles, an input stage has two consumers, and the accumulator ring turns with every k step.
//
//   warp  role      waits for                        signals
//   0–3   epilogue  named barrier 1; accum.full[a]   input.empty[s], 4 lanes; accum.empty[a];
//                                                    tmem_dealloc
//   5     load      input.empty[s]                   input.full[s], by TMA bytes
//   6     mma       accum.empty[a], input.full[s];   input.empty[s] and accum.full[a], by commits
//                   tmem_dealloc
import { kernel, read } from 'poundlock';
import { EpilogueWarp, MmaWarp, WarpRoles } from 'poundlock/sm100';
import { blockwiseFp8Matmul } from '../shared/blockwise-fp8.ts';
import { rolesOf } from '../shared/config.ts';

const defaults = { violates: 'none', stages: 2, accumStages: 2, kIters: 4 };
const shape = { clusterM: 1, clusterN: 1, ctaGroup: 1, clcStages: 0, tiles: 1 };

export default kernel('k-steps', defaults, ({ violates, kIters, ...rings }) => {
  const parts = blockwiseFp8Matmul({ ...rings, ...shape, kIters });
  const { cluster, inputPipeline, smem } = parts;

  return rolesOf(cluster, (ctx) => {
    const warps = new WarpRoles(ctx, () => parts.initBarriers(ctx));
    const loadTiles = parts.loads(ctx);
    const multiply = parts.products(ctx);

    const load = warps.mainLoad(function* () {
      for (let k = 0; k < kIters; k++) {
        const stage = yield* inputPipeline.acquireProducer();
        loadTiles(stage);
        stage.release();
      }
      yield* inputPipeline.drainProducer();
    });

    const mma = warps.mma(function* () {
      const mmaWarp = yield* MmaWarp.create(smem, ctx.mmaCompleteMask);
      for (let k = 0; k < kIters; k++) {
        using mmaStage = yield* mmaWarp.perKStage();
        const inputTiles = yield* inputPipeline.consumer().acquireStage();
        multiply(mmaStage.tmem, inputTiles);
        inputTiles.release();
      }
      mmaWarp.release();
    });

    const epilogue = warps.epilogue(function* () {
      const published = yield* smem.types.Sync.wait();
      const epiWarp = EpilogueWarp.create(smem, ctx.mmaCompleteMask, published);
      for (let k = 0; k < kIters; k++) {
        if (violates === 'T10') {
          // T10: what the release of this handle does not do
          const inputStage = yield* inputPipeline.consumerStage();
          const stage = yield* epiWarp.acquireKStageLinear();
          const { slices } = inputPipeline.payload.getAScalesTile(inputStage);
          for (const slice of slices) read(slice);
          inputPipeline.pipeline.consumerStep();
          stage.release();
          continue;
        }
        using epiStage = yield* epiWarp.perKStage(inputPipeline.pipeline);
        const { kStage } = epiStage;
        if (violates === 'T11') kStage.arriveInput(4); // T11: then reads the scales
        const scales = inputPipeline.payload.getAScalesTile(kStage.inputStageIndex);
        for (const slice of scales.slices) read(slice);
        if (violates !== 'T11') kStage.arriveInput(4);
        const { tmem } = kStage.outputStage;
        tmem.loadUpper();
        yield* tmem.waitLoad();
      }
      epiWarp.release();
    });

    return [load, mma, epilogue];
  });
});
