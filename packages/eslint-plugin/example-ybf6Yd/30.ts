import { kernel as $kernel } from 'poundlock';
import { KernelContext, SchedulerRings, TileScheduler, WarpRoles } from '@poundlock/dialects/sm100';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const scheduler = new TileScheduler({ stages: 1, clusterSize: 1, tiles: 1 });
const all = new WarpRoles(ctx, () => scheduler.initBarriers(32));
return [
  all.mainLoad(function* () {
    const rings: SchedulerRings = scheduler.rings!;
    yield* scheduler.throttleSignal(true);
    rings.freeResponse(yield* rings.clc.waitProducer());
  }),
  all.scheduler(function* () {
    const rings = scheduler.rings!;
    yield* rings.throttle.consumerSignalAndStep();
    yield* scheduler.advanceToNextWork();
    yield* scheduler.fetchResponse();
  }),
  all.epilogue(function* () {}),
];
});