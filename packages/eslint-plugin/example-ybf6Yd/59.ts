import { kernel as $kernel } from 'poundlock';
import { KernelContext, WarpRoles, GroupedClcScheduler, GroupedClcSchedulerIterator } from '@poundlock/dialects/sm100';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const groups = { tiles: 1, tilesPerGroup: 1 };
const scheduler = new GroupedClcScheduler({ ...groups, stages: 1, ctaGroup: 1 });
const all = new WarpRoles(ctx, () => scheduler.initBarriers());
return [
  all.scheduler(function* () {
    const tiles: GroupedClcSchedulerIterator = scheduler.schedulerIterator();
    const signals = yield* tiles.each(function* (signals) {
      yield* tiles.signalAndAdvance(signals);
    });
    yield* tiles.drain(signals);
  }),
  all.mma(function* () {
    yield* scheduler.mmaIterator().each(function* () {});
  }),
  all.epilogue(function* () {}),
];
});