// The iterator that kernels had before `for current in work_iter`, with its three ways to fetch.
import type { Op, Operation } from '@poundlock/core';
import { trackGenerators } from '@poundlock/core/dialect';
import type { TileScheduler } from './scheduler.ts';
import { WorkInfo } from './work-info.ts';

/**
 * Iterates over tiles by `hasWork` and one of its companions, each called once in a round. `next`
 * fetches at the end of its block, after the work: for load, scheduler and epilogue warps.
 * `nextPrefetch` fetches before the work, so that the response is there in time: for the MMA warp.
 *
 * @example
 * const scheduler = new TileScheduler({ stages: 0, clusterSize: 1, tiles: 1 });
 * return [
 *   warps.epilogue(function* () {
 *     const workIter = scheduler.earlierIterator();
 *     while (yield* workIter.hasWork()) {
 *       using current = yield* workIter.next();
 *       yield* compute(current.coord()[0]);
 *     }
 *   }),
 * ];
 */
export class EarlierWorkIterator {
  readonly #scheduler: TileScheduler;

  /** Created by {@link TileScheduler.earlierIterator}. */
  constructor(scheduler: TileScheduler) {
    this.#scheduler = scheduler;
  }

  /** Whether there is another tile; to be called once in a round. */
  hasWork(): Operation<boolean> {
    return this.#scheduler.items.more();
  }

  /** The current tile; the end of its block waits for the next response and fetches it. */
  *next(): Generator<Op, WorkContext, number> {
    const { rings } = this.#scheduler;
    const stage = rings === null ? -1 : yield* rings.clc.consumerStage();
    return new WorkContext(this.#scheduler, stage);
  }

  /** Fetches the next tile and returns the current one; its block ends without a wait. */
  *nextPrefetch(): Generator<Op, WorkContext, number> {
    yield* this.#scheduler.fetchResponse();
    return new WorkContext(this.#scheduler, -1);
  }

  /** See {@link TileScheduler.throttleSignal}. */
  throttleSignal(isFirstCtaInCluster: boolean): Generator<Op, void, number> {
    return this.#scheduler.throttleSignal(isFirstCtaInCluster);
  }
}
trackGenerators(EarlierWorkIterator);

/**
 * The block of one tile.
 *
 * @example
 * const scheduler = new TileScheduler({ stages: 0, clusterSize: 1, tiles: 1 });
 * return [
 *   warps.epilogue(function* () {
 *     const workIter = scheduler.earlierIterator();
 *     while (yield* workIter.hasWork()) {
 *       using current: WorkContext = yield* workIter.nextPrefetch();
 *       yield* compute(current.coord()[0]);
 *     }
 *   }),
 * ];
 */
export class WorkContext implements Disposable {
  readonly #scheduler: TileScheduler;
  readonly #stage: number;

  /** With a `stage`, the end of the block fetches the response in it. */
  constructor(scheduler: TileScheduler, stage: number) {
    this.#scheduler = scheduler;
    this.#stage = stage;
  }

  /** The position of the tile in the output. */
  coord(): readonly [m: number, n: number] {
    return new WorkInfo(true).coord();
  }

  /**
   * Waits for the next response and fetches it, if {@link EarlierWorkIterator.next} returned this.
   */
  [Symbol.dispose](): void {
    const { rings } = this.#scheduler;
    if (rings === null || this.#stage < 0) return;
    rings.clc.postWaitProducer();
    rings.freeResponse(this.#stage);
  }
}
