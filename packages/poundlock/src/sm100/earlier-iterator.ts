// The iterator that kernels had before `for current in work_iter`, with its three ways to fetch.
import type { Op } from '@poundlock/core/internal/op';
import type { Operation } from '@poundlock/core/internal/program';
import type { TileScheduler } from './scheduler.ts';
import { WorkInfo } from './work-info.ts';

/**
 * Tiles by `hasWork` and one of its companions, each called once in a round. `next` fetches as its
 * block ends, after the work: load, scheduler and epilogue. `nextPrefetch` fetches before the
 * work, so that the response is there in time: the MMA warp.
 *
 * @example
 * while (yield* workIter.hasWork()) {
 *   using current = yield* workIter.next();
 *   yield* workIter.throttleSignal(ctx.isFirstCtaInCluster);
 * }
 */
export class EarlierWorkIterator {
  readonly #scheduler: TileScheduler;

  constructor(scheduler: TileScheduler) {
    this.#scheduler = scheduler;
  }

  /** Whether there is another tile; to be asked once in a round. */
  hasWork(): Operation<boolean> {
    return this.#scheduler.items.more();
  }

  /** The current tile; the end of its block waits for the next response and fetches it. */
  *next(): Generator<Op, WorkContext, number> {
    const { rings } = this.#scheduler;
    const stage = rings === null ? -1 : yield* rings.clc.consumerStage();
    return new WorkContext(this.#scheduler, stage);
  }

  /** Fetches the next tile, and then works on the current one; its block ends without a wait. */
  *nextPrefetch(): Generator<Op, WorkContext, number> {
    yield* this.#scheduler.fetchResponse();
    return new WorkContext(this.#scheduler, -1);
  }

  /** See {@link TileScheduler.throttleSignal}. */
  throttleSignal(isFirstCtaInCluster: boolean): Generator<Op, void, number> {
    return this.#scheduler.throttleSignal(isFirstCtaInCluster);
  }
}

/** The block of one tile. */
export class WorkContext implements Disposable {
  readonly #scheduler: TileScheduler;
  readonly #stage: number;

  /** With a `stage`, the end of the block fetches the response in it. */
  constructor(scheduler: TileScheduler, stage: number) {
    this.#scheduler = scheduler;
    this.#stage = stage;
  }

  /** Where the tile is in the output. */
  coord(): readonly [m: number, n: number] {
    return new WorkInfo(true).coord();
  }

  [Symbol.dispose](): void {
    const { rings } = this.#scheduler;
    if (rings === null || this.#stage < 0) return;
    rings.clc.postWaitProducer();
    rings.freeResponse(this.#stage);
  }
}
