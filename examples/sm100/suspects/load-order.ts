// Suspect: LoadOrderBarrier has no way back. The load warp arrives once for each tile, and nothing
// but the scheduler's ring keeps it near the epilogue-load warp that waits for it.
// Why: if epilogue_load is late by two tiles, both phases that it can tell apart have passed, and it
// blocks on one that was over long ago. From 2 tiles on that is reachable; from 3 on it may also
// pass late. It takes a delay of a whole tile, so that hardware may never show it.
// Fix: wait for each arrival to be seen, `--set loadOrder=two-way`, as examples/sm100/conv2d does.
// CUTLASS arrives once for each kernel instead.
//
//   role           waits for                         signals
//   scheduler      throttle.full; clc.empty[i]       throttle.empty; clc.full[i], by a response
//   load           throttle.empty; clc.full[i]       throttle.full; load_order; clc.empty[i]
//   epilogue_load  load_order; clc.full[i]           clc.empty[i]
import { arrive, kernel, pipeline, role, syncCluster } from 'poundlock';
import { LoadOrderBarrier, TileScheduler, WARP_SIZE } from 'poundlock/sm100';

const defaults = { clcStages: 2, tiles: 2, loadOrder: 'one-way' };
const CONSUMER_THREADS = 2 * WARP_SIZE;

export default kernel('load-order', defaults, ({ clcStages: stages, tiles, loadOrder }) => {
  const scheduler = new TileScheduler({ stages, clusterSize: 1, tiles });
  const oneWay = new LoadOrderBarrier('load_order');
  const twoWay = pipeline('load_order_seen', { stages: 1 });
  const isOneWay = loadOrder === 'one-way';
  const warp = { lanes: WARP_SIZE };

  const schedulerWarp = role('scheduler', warp, function* () {
    scheduler.initBarriers(CONSUMER_THREADS);
    oneWay.initBarrier();
    yield* syncCluster();
    const schedIter = scheduler.schedulerIterator();
    yield* schedIter.each(() => schedIter.signalAndAdvance());
    yield* schedIter.drain();
  });

  const load = role('load', warp, function* () {
    yield* syncCluster();
    yield* scheduler.workIterator().each(function* () {
      yield* scheduler.throttleSignal(true);
      if (isOneWay) return oneWay.arriveAndStep();
      arrive(twoWay.producerMbar(yield* twoWay.waitConsumer()));
      twoWay.producerStep();
    });
  });

  const epilogueLoad = role('epilogue_load', warp, function* () {
    yield* syncCluster();
    yield* scheduler.workIterator().each(function* () {
      if (isOneWay) return yield* oneWay.waitAndStep();
      arrive(twoWay.consumerMbar(yield* twoWay.waitProducer()));
      twoWay.consumerStep();
    });
  });

  return [schedulerWarp, load, epilogueLoad];
});
