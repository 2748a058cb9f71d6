// Fetches the next tile while the current one is processed.
import type { Op } from '@poundlock/core';
import { trackGenerators } from '@poundlock/core/dialect';
import type { TileScheduler } from './scheduler.ts';
import type { WorkInfo } from './work-info.ts';

/**
 * Fetches ahead, in a scope: the tile after `work` is {@link next} from the start. In Mojo the end
 * of the block makes it the current one; here a round of a loop returns it.
 *
 * @example
 * const scheduler = new TileScheduler({ stages: 0, clusterSize: 1, tiles: 1 });
 * return [
 *   warps.epilogue(function* () {
 *     const work = yield* scheduler.initialWorkInfo();
 *     using ahead = yield* WaitAndAdvanceContext.enter(scheduler, work);
 *     if (ahead.next.isValid()) yield* compute(100);
 *   }),
 * ];
 */
export class WaitAndAdvanceContext implements Disposable {
  /** The current tile. */
  readonly workInfo: WorkInfo;
  /** The tile after it. */
  readonly next: WorkInfo;

  private constructor(workInfo: WorkInfo, next: WorkInfo) {
    this.workInfo = workInfo;
    this.next = next;
  }

  /** Blocks until the next response, and fetches it. */
  static *enter(
    scheduler: TileScheduler,
    work: WorkInfo,
  ): Generator<Op, WaitAndAdvanceContext, number> {
    return new WaitAndAdvanceContext(work, yield* scheduler.fetchNextWork());
  }

  /** Does nothing: the response was freed when it was fetched. */
  [Symbol.dispose](): void {
    // The response was freed as it was fetched.
  }
}
trackGenerators(WaitAndAdvanceContext);

/**
 * Fetches ahead, without a scope: `release` returns the tile after `work`. If it is not called,
 * the same tile comes again.
 *
 * @example
 * const scheduler = new TileScheduler({ stages: 0, clusterSize: 1, tiles: 1 });
 * return [
 *   warps.epilogue(function* () {
 *     const work = yield* scheduler.initialWorkInfo();
 *     const ahead = yield* WaitAndAdvanceHandle.create(scheduler, work);
 *     if (ahead.release().isValid()) yield* compute(100);
 *   }),
 * ];
 */
export class WaitAndAdvanceHandle {
  /** The current tile. */
  readonly workInfo: WorkInfo;
  readonly #next: WorkInfo;

  private constructor(workInfo: WorkInfo, next: WorkInfo) {
    this.workInfo = workInfo;
    this.#next = next;
  }

  /** Blocks until the next response, and fetches it. */
  static *create(
    scheduler: TileScheduler,
    work: WorkInfo,
  ): Generator<Op, WaitAndAdvanceHandle, number> {
    return new WaitAndAdvanceHandle(work, yield* scheduler.fetchNextWork());
  }

  /** The tile to go on with. */
  release(): WorkInfo {
    return this.#next;
  }
}
trackGenerators(WaitAndAdvanceHandle);
