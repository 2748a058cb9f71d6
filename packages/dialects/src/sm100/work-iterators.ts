// Iterators over tiles: each warp fetches the next tile when its body is done.
import { end, loop } from '@poundlock/core';
import type { Op } from '@poundlock/core';
import { trackGenerators } from '@poundlock/core/dialect';
import type { TileScheduler } from './scheduler.ts';
import { WorkInfo } from './work-info.ts';

/** What a warp does with a tile. */
export type TileBody = (current: WorkInfo) => Generator<Op, void, number>;

/**
 * The tiles of a warp, in order. The next tile is fetched at the *beginning* of the next round,
 * after the body of this one: a load warp that fetched before its body would wait for a response
 * that the scheduler may request only after the body has signaled its throttle.
 *
 * @example
 * const scheduler = new TileScheduler({ stages: 0, clusterSize: 1, tiles: 1 });
 * return [
 *   warps.epilogue(function* () {
 *     const tiles: WorkIterator = scheduler.workIterator();
 *     yield* tiles.each(function* (current) {
 *       yield* compute(current.coord()[0]);
 *     });
 *   }),
 * ];
 */
export class WorkIterator {
  protected readonly scheduler: TileScheduler;

  /** Created by {@link TileScheduler.workIterator}. */
  constructor(scheduler: TileScheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Runs `body` for every tile: `for current in work_iter`. As there, a copy iterates; what `body`
   * does to the iterator, it does to the original.
   */
  *each(body: TileBody): Generator<Op, void, number> {
    const { scheduler } = this;
    yield* loop<boolean, null>(false, function* (needsFetch) {
      if (needsFetch) yield* scheduler.fetchResponse();
      const current = new WorkInfo(yield* scheduler.items.more());
      if (!current.isValid()) return end(null);
      yield* body(current);
      return true;
    });
  }
}
trackGenerators(WorkIterator);

/**
 * The tiles of the scheduler warp. The copy that {@link each} iterates with consumes responses as
 * every warp does; the original requests them, with a counter of its own.
 *
 * @example
 * const scheduler = new TileScheduler({ stages: 0, clusterSize: 1, tiles: 1 });
 * return [
 *   warps.scheduler(function* () {
 *     const tiles: SchedulerWorkIterator = scheduler.schedulerIterator();
 *     yield* tiles.each(function* () {
 *       yield* tiles.signalAndAdvance();
 *     });
 *     yield* tiles.drain();
 *   }),
 *   epilogueThread,
 * ];
 */
export class SchedulerWorkIterator extends WorkIterator {
  /** Blocks until the load warp has begun a tile; then requests another one. */
  *signalAndAdvance(): Generator<Op, void, number> {
    const { scheduler } = this;
    if (scheduler.rings !== null) yield* scheduler.rings.throttle.consumerSignalAndStep();
    yield* scheduler.advanceToNextWork();
  }

  /** Blocks until every warp has fetched every response, before the CTA ends (T14). */
  *drain(): Generator<Op, void, number> {
    if (this.scheduler.rings !== null) yield* this.scheduler.rings.clc.drain();
  }
}
trackGenerators(SchedulerWorkIterator);
