// Suspect: a comment says that the throttle of the software scheduler hangs "since barriers start at
// phase 0". They do not: a producer's lap starts at 1, and its first wait passes.
// Why: the load warp of that kernel never calls throttleSignal, so that the scheduler waits for ever.
// With a signal for each tile, `--set loadSignals=true`, the throttle works there, too.
//
//   role       waits for                                     signals
//   scheduler  throttle.full; clc.empty[i]                   throttle.empty; clc.full[i]
//   load       throttle.empty, if it signals at all          throttle.full, 32 threads
//   mma        clc.full[i]                                   clc.empty[i], 32 threads
import { kernel, pipeline, role, syncCluster } from 'poundlock';
import { GroupedClcScheduler, WARP_SIZE } from 'poundlock/sm100';

const defaults = { stages: 2, tiles: 3, loadSignals: false };

export default kernel('grouped-throttle', defaults, ({ stages, tiles, loadSignals }) => {
  const scheduler = new GroupedClcScheduler({ tiles, tilesPerGroup: 1, stages, ctaGroup: 1 });
  const throttle = pipeline('clc_throttle', { stages, producers: WARP_SIZE, consumers: WARP_SIZE });
  const warp = { lanes: WARP_SIZE };

  const schedulerWarp = role('scheduler', warp, function* () {
    scheduler.initBarriers();
    yield* syncCluster();
    const schedIter = scheduler.schedulerIterator();
    const signals = yield* schedIter.each(function* (signals) {
      yield* throttle.consumerSignalAndStep(); // what the original leaves out
      yield* schedIter.signalAndAdvance(signals);
    });
    yield* schedIter.drain(signals);
  });

  const load = role('load', warp, function* () {
    yield* syncCluster();
    yield* scheduler.workIterator().each(function* () {
      if (loadSignals) yield* throttle.producerSignalAndStep();
    });
  });

  const mma = role('mma', warp, function* () {
    yield* syncCluster();
    yield* scheduler.mmaIterator().each(function* () {
      // the tile's work has no part in this
    });
  });

  return [schedulerWarp, load, mma];
});
