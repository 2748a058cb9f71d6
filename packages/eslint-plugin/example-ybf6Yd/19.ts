import { kernel as $kernel } from 'poundlock';
import { AccumBarrier, KernelContext, AccumBarriers, WarpRoles } from '@poundlock/dialects/sm100';
import { UNITS, commit } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const accum = new AccumBarriers('barriers', { numStages: 1, stageStrideCols: 256, ctaGroup: 1 });
const all = new WarpRoles(ctx, () => accum.initBarriers(1, 128));
return [
  all.mma(function* () {
    commit(UNITS.mma, accum.pipeline.producerMbar(0));
  }),
  all.epilogue(function* () {
    const stage = yield* accum.pipeline.waitProducer();
    AccumBarrier.arrive(accum.pipeline, stage);
    accum.pipeline.consumerStep();
  }),
];
});