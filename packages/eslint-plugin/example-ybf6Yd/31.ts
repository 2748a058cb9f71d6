import { kernel as $kernel } from 'poundlock';
import { KernelContext, TileScheduler, WarpRoles } from '@poundlock/dialects/sm100';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const scheduler = new TileScheduler({ stages: 2, clusterSize: 1, tiles: 2 });
const all = new WarpRoles(ctx, () => scheduler.initBarriers(32));
return [
  all.mainLoad(function* () {
    yield* scheduler.workIterator().each(function* () {
      yield* scheduler.throttleSignal(ctx.isFirstCtaInCluster);
    });
  }),
  all.scheduler(function* () {
    const tiles = scheduler.schedulerIterator();
    yield* tiles.each(function* () {
      yield* tiles.signalAndAdvance();
    });
    yield* tiles.drain();
  }),
  all.epilogue(function* () {}),
];
});