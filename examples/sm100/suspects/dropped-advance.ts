// Suspect: WaitAndAdvanceHandle is called RAII, and has neither a destructor that advances nor a
// compiler that asks for its release.
// Why: a role that drops it works on the same tile again, and fetches a response for it that is not
// requested from the hardware any more.
// Fix: call release, `--set releases=true`; or a type that must be released.
//
//   role       waits for                            signals
//   scheduler  throttle.full; clc.empty[i]          throttle.empty; clc.full[i], by a response
//   load       throttle.empty; clc.full[i]          throttle.full; clc.empty[i]
//   mma        clc.full[i], before the work         clc.empty[i]
import { end, kernel, loop, role, syncCluster } from 'poundlock';
import { TileScheduler, WaitAndAdvanceHandle, WARP_SIZE, WorkInfo } from 'poundlock/sm100';

const defaults = { clcStages: 2, tiles: 2, releases: false };
const CONSUMER_THREADS = 2 * WARP_SIZE;

export default kernel('dropped-advance', defaults, ({ clcStages: stages, tiles, releases }) => {
  const scheduler = new TileScheduler({ stages, clusterSize: 1, tiles });
  const warp = { lanes: WARP_SIZE };

  const schedulerWarp = role('scheduler', warp, function* () {
    scheduler.initBarriers(CONSUMER_THREADS);
    yield* syncCluster();
    const schedIter = scheduler.schedulerIterator();
    yield* schedIter.each(() => schedIter.signalAndAdvance());
    yield* schedIter.drain();
  });

  const load = role('load', warp, function* () {
    yield* syncCluster();
    yield* scheduler.workIterator().each(() => scheduler.throttleSignal(true));
  });

  const mma = role('mma', warp, function* () {
    yield* syncCluster();
    const first = yield* scheduler.initialWorkInfo();
    yield* loop<boolean, null>(first.isValid(), function* (isValid) {
      const current = new WorkInfo(isValid);
      if (!current.isValid()) return end(null);
      const handle = yield* WaitAndAdvanceHandle.create(scheduler, current);
      const next = releases ? handle.release() : current;
      return next.isValid();
    });
  });

  return [schedulerWarp, load, mma];
});
