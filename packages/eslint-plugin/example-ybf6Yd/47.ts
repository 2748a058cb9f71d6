import { kernel as $kernel } from 'poundlock';
import { WarpGroupBarrier, KernelContext, WarpRoles } from '@poundlock/dialects/sm100';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const sync = new WarpGroupBarrier(160, 2);
const all = new WarpRoles(ctx, () => {});
return [
  all.mma(function* () {
    yield* sync.sync();
  }),
  all.epilogue(function* () {
    yield* sync.sync();
  }),
];
});