// Suspect: the drain of the software scheduler waits for parity 0 of the first stages, always.
// Why: the phase is (i / stages) & 1 with i < stages, which is 0. The wait passes while a stage has
// been emptied an odd number of times, and hangs when its last time was an even one.
// With 2 stages and T tiles in a cluster: fine for T = 1, 2, 6, 10; it may hang for T = 3, 4, 7, 8,
// 11, 12; it always hangs for T = 5, 9, 13. The launch gives every cluster one tile.
// Fix: drain by the producer's own counter, `--set drain=producer-state`.
//
//   role       waits for                             signals
//   scheduler  clc.empty[i]; as it drains, parity 0  clc.full[i] of both CTAs
//   mma<c>     clc.full[i]                           clc.empty[i] of CTA 0, 32 threads
import { kernel, role, syncCluster } from 'poundlock';
import { GroupedClcScheduler, WARP_SIZE } from 'poundlock/sm100';

const defaults = { stages: 2, tiles: 5, drain: 'zero' };

export default kernel('grouped-drain', defaults, ({ stages, tiles, drain: drainMode }) => {
  const drain = drainMode === 'zero' ? 'zero' : 'producer-state';
  const shape = { tiles, tilesPerGroup: 1, stages, ctaGroup: 2, drain } as const;
  const scheduler = new GroupedClcScheduler(shape);

  const schedulerWarp = role('scheduler', { cta: 0, lanes: WARP_SIZE }, function* () {
    scheduler.initBarriers();
    yield* syncCluster();
    const schedIter = scheduler.schedulerIterator();
    const signals = yield* schedIter.each(function* (signals) {
      yield* schedIter.signalAndAdvance(signals);
    });
    yield* schedIter.drain(signals);
  });

  const mmaWarp = (cta: number) =>
    role(`mma${cta}`, { cta, lanes: WARP_SIZE }, function* () {
      if (cta === 1) scheduler.initBarriers();
      yield* syncCluster();
      const mmaIter = scheduler.mmaIterator();
      yield* mmaIter.each(function* () {
        // the tile's work has no part in this
      });
    });

  return [schedulerWarp, mmaWarp(0), mmaWarp(1)];
});
