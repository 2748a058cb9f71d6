import { kernel as $kernel } from 'poundlock';
import { KernelContext, SmemPipelineBundle, EpilogueWarpContext, MmaWarpContext, WarpRoles } from '@poundlock/dialects/sm100';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const opc = { numStages: 1, stageStrideCols: 512, ctaGroup: 1 } as const;
const shared = new SmemPipelineBundle(opc);
const all = new WarpRoles(ctx, () => shared.initBarriers());
return [
  all.mma(function* () {
    const context = yield* MmaWarpContext.create(shared, ctx.mmaCompleteMask);
    using _scope = context.enter();
  }),
  all.epilogue(function* () {
    const published = yield* shared.types.Sync.wait();
    const context = EpilogueWarpContext.create(shared, ctx.mmaCompleteMask, published);
    using _scope = context.enter();
  }),
];
});