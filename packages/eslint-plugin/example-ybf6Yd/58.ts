import { kernel as $kernel } from 'poundlock';
import { KernelContext, WarpRoles, GroupedClcScheduler } from '@poundlock/dialects/sm100';
import { compute } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const groups = { tiles: 2, tilesPerGroup: 1 };
const scheduler = new GroupedClcScheduler({ ...groups, stages: 2, ctaGroup: 1 });
const all = new WarpRoles(ctx, () => scheduler.initBarriers());
return [
  all.scheduler(function* () {
    const tiles = scheduler.schedulerIterator();
    const signals = yield* tiles.each(function* (signals) {
      yield* tiles.signalAndAdvance(signals);
    });
    yield* tiles.drain(signals);
  }),
  all.mma(function* () {
    yield* scheduler.mmaIterator().each(function* () {
      yield* compute(100);
    });
  }),
  all.epilogue(function* () {}),
];
});