// The rules of the tile scheduler: T12 and T13.
//
// Shows: who must do what for each tile: the load warp allows one request, and every warp fetches
// every response. `--set violates=T12` allows none, `--set violates=T13` leaves a fetch out.
// docs/reference/typestate.md has what the checker says.
// Unlike the kernels, the warps do nothing with their tiles.
//
//   role       waits for                          signals
//   scheduler  throttle.full; clc.empty[i]        throttle.empty; clc.full[i], by a response
//   load       throttle.empty; clc.full[i]        throttle.full; clc.empty[i], every thread
//   mma        clc.full[i]                        clc.empty[i], every thread
import { count, end, kernel, loop, role, syncCluster } from 'poundlock';
import { TileScheduler, WARP_SIZE } from 'poundlock/sm100';

const defaults = { violates: 'none', clcStages: 2, tiles: 4 };

export default kernel('schedule', defaults, ({ violates, clcStages: stages, tiles }) => {
  const scheduler = new TileScheduler({ stages, clusterSize: 1, tiles });
  const fetches = count(tiles, 'fetches');
  const warp = { lanes: WARP_SIZE };

  const schedulerWarp = role('scheduler', warp, function* () {
    scheduler.initBarriers(2 * WARP_SIZE); // load and mma; its own threads count as well
    yield* syncCluster();
    const schedIter = scheduler.schedulerIterator();
    yield* schedIter.each(() => schedIter.signalAndAdvance());
    yield* schedIter.drain();
  });

  const load = role('load', warp, function* () {
    yield* syncCluster();
    yield* scheduler.workIterator().each(() => scheduler.throttleSignal(violates !== 'T12'));
  });

  const mma = role('mma', warp, function* () {
    yield* syncCluster();
    yield* loop(0, function* (round) {
      if (!(yield* fetches.more())) return end(null);
      // T13: this warp computes its second tile by itself
      if (violates !== 'T13' || round !== 1) yield* scheduler.fetchNextWork();
      return Math.min(round + 1, 2);
    });
  });

  return [schedulerWarp, load, mma];
});
