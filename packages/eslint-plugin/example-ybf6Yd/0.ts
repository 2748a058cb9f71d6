import { kernel as $kernel } from 'poundlock';
import { LoadOrderBarrier, KernelContext, WarpRoles } from '@poundlock/dialects/sm100';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const order = new LoadOrderBarrier('load_order');
const both = new WarpRoles(ctx, () => order.initBarrier());
return [
  both.mainLoad(function* () {
    order.arriveAndStep();
  }),
  both.epilogueLoad(function* () {
    yield* order.waitAndStep();
  }),
  both.epilogue(function* () {}),
];
});