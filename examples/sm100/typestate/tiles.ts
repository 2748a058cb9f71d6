// The ordering rules of tiles and accumulators: T3–T9, T14, T18–T20, T22, each broken on request.
//
// Shows: one small matmul that keeps every rule, and with `--set violates=T7` breaks that one. What
// the checker reports for each is in docs/reference/typestate.md. Where a handle would not let a
// rule be broken, the warp calls what the handle calls.
// Unlike life, k-steps and schedule, it is about what lies between an acquire and its release.
//
//   warp  role      waits for                          signals
//   0–3   epilogue  named barrier 1; accum.full[a]     accum.empty[a] of the leader; tmem_dealloc
//   5     load      input.empty[s]                     input.full[s] of the leader, by TMA bytes
//   6     mma       accum.empty[a], input.full[s];     input.empty[s] and accum.full[a], by commits
//                   tmem_dealloc
import { arrive, count, end, kernel, loop, mma as tensorCore } from 'poundlock';
import {
  AccumBarrier,
  EpilogueWarpContext,
  MmaOpSM100,
  MmaWarpContext,
  WarpRoles,
} from 'poundlock/sm100';
import { rolesOf } from '../shared/config.ts';
import { standardMatmul } from '../shared/standard.ts';

/** What two rules need: a pair of CTAs, and a program that is small all the same. */
interface Earlier {
  readonly violates: string;
}
const unlessT14 =
  (size: number) =>
  ({ violates }: Earlier) =>
    violates === 'T14' ? 1 : size;

const defaults = {
  violates: 'none',
  stages: unlessT14(2),
  kIters: unlessT14(3),
  tiles: unlessT14(2),
  ctaGroup: ({ violates }: Earlier) => (violates === 'T14' || violates === 'T19' ? 2 : 1),
};

export default kernel('tiles', defaults, (config) => {
  const { violates, kIters, ctaGroup } = config;
  const shape = { clusterM: ctaGroup, clusterN: 1, accumStages: 1, clcStages: 0 };
  const parts = standardMatmul({ ...config, ...shape });
  const { cluster, inputPipeline, smem } = parts;
  const copy = inputPipeline.pipeline.copy('input_copy');
  const tiles = count(config.tiles);

  return rolesOf(cluster, (ctx) => {
    const bytes = ctaGroup * inputPipeline.payload.bytes;
    const loadTiles = parts.loads(ctx);
    const mmaOp = new MmaOpSM100(ctx);
    const warps = new WarpRoles(ctx, () => parts.initBarriers(ctx));

    const load = warps.mainLoad(function* () {
      const producer = inputPipeline.producer();
      yield* loop(null, function* () {
        if (!(yield* tiles.more())) return end(null);
        for (let k = 0; k < kIters; k++) {
          // T18: there was no try whether the stage is empty
          using stage = yield* producer.acquireIfNeeded(violates === 'T18');
          if (violates === 'T4') arrive(stage.barrier(), { bytes }); // a second expectation
          loadTiles(stage);
          if (violates === 'T6') inputPipeline.pipeline.producerStep(); // the block's end is another
        }
        return null;
      });
      if (violates !== 'T14' || ctx.isFirstCtaInCluster) yield* producer.drain();
    });

    const mma = warps.mma(function* () {
      const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
      using _tmemLifecycle = mmaCtx.enter();
      const output = mmaCtx.outputPipeline;
      if (!ctx.electOneCta && violates !== 'T19') return; // T19: the odd CTA multiplies, too
      yield* loop(null, function* () {
        if (!(yield* tiles.more())) return end(null);
        const accumulator = yield* output.acquireForMma();
        for (let k = 0; k < kIters; k++) {
          const stage = yield* inputPipeline.consumerStage();
          const inputTiles = yield* inputPipeline.acquireConsumer();
          const tile = inputTiles.payload().getTile(stage);
          // T7, T8: commits before the work that they are for
          if (violates === 'T7') mmaOp.commit(inputTiles.mbar());
          if (violates === 'T8' && k === kIters - 1) output.releaseFromMma(accumulator);
          mmaOp.mma(tile, output.stage(accumulator).tensor);
          if (violates !== 'T7') mmaOp.commit(inputTiles.mbar());
          if (violates === 'T5') mmaOp.commit(inputTiles.mbar()); // a second signal
          if (violates === 'T3') mmaOp.mma(tile, output.stage(accumulator).tensor);
          if (violates === 'T20') inputPipeline.pipeline.consumerStep({ lanes: 1 });
          if (violates === 'T22') copy.consumerStep(); // the counter of another copy moves
          if (violates === 'T22' && k > 0) yield* inputPipeline.pipeline.waitProducer();
          inputTiles.release();
        }
        if (violates !== 'T8') output.releaseFromMma(accumulator);
        return null;
      });
      yield* tensorCore.waitGroup(0);
    });

    const epilogue = warps.epilogue(function* () {
      const published = yield* smem.types.Sync.wait();
      const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
      using _signalsDealloc = epiCtx.enter();
      const output = epiCtx.outputPipeline;
      yield* loop(null, function* () {
        if (!(yield* tiles.more())) return end(null);
        const accumulator = yield* output.acquireForEpilogue();
        const free = () =>
          AccumBarrier.arrive(output.getPipeline(), accumulator, output.opc.ctaGroup);
        const stage = output.stage(accumulator);
        stage.loadUpper();
        if (violates === 'T9') free(); // its fragments are still on their way
        yield* stage.waitLoad();
        if (violates !== 'T9') free();
        output.releaseFromEpilogue();
        return null;
      });
    });

    return [load, mma, epilogue];
  });
});
