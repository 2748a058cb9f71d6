import { kernel as $kernel } from 'poundlock';
import { KernelContext, TmemDeallocBarrier, WarpRoles } from '@poundlock/dialects/sm100';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const done = new TmemDeallocBarrier('done');
const all = new WarpRoles(ctx, () => done.initBarrier(128));
return [
  all.mma(function* () {
    yield* done.wait();
  }),
  all.epilogue(function* () {
    done.signalComplete();
  }),
];
});