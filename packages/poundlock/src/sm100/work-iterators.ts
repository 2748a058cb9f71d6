// Iterators over tiles: each warp fetches by itself, and only when it comes back for more.
import type { Op } from '@poundlock/core/internal/op';
import { end, loop } from '@poundlock/core/internal/program';
import type { TileScheduler } from './scheduler.ts';
import { WorkInfo } from './work-info.ts';

/** What a warp does with a tile. */
export type TileBody = (current: WorkInfo) => Generator<Op, void, number>;

/**
 * The tiles of a warp, in order. The next tile is fetched at the *beginning* of the next round,
 * after the body of this one: a load warp that fetched before its body would wait for a response
 * that the scheduler may ask for only when the body has signalled its throttle.
 */
export class WorkIterator {
  protected readonly scheduler: TileScheduler;

  constructor(scheduler: TileScheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Runs `body` for every tile: `for current in work_iter`. As there, it is a copy that goes
   * through the tiles; what `body` does to the iterator, it does to the original.
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

/**
 * The tiles of the scheduler warp. The copy that {@link each} makes consumes responses like every
 * warp; the original asks for them, with a counter of its own.
 */
export class SchedulerWorkIterator extends WorkIterator {
  /** Waits until the load warp has begun a tile; then asks for another one. */
  *signalAndAdvance(): Generator<Op, void, number> {
    const { scheduler } = this;
    if (scheduler.rings !== null) yield* scheduler.rings.throttle.consumerSignalAndStep();
    yield* scheduler.advanceToNextWork();
  }

  /** Waits until every response was fetched by everybody, before the CTA ends (T14). */
  *drain(): Generator<Op, void, number> {
    if (this.scheduler.rings !== null) yield* this.scheduler.rings.clc.drain();
  }
}
