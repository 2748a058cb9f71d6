// The next tile fetched ahead of the current one, and who makes it the current one.
import type { Op } from '@poundlock/core/internal/op';
import type { TileScheduler } from './scheduler.ts';
import type { WorkInfo } from './work-info.ts';

/**
 * Fetches ahead, in a scope: the tile after `work` is {@link next} from the start. In Mojo the
 * block's end makes it the current one; here a round of a loop returns it.
 */
export class WaitAndAdvanceContext implements Disposable {
  readonly workInfo: WorkInfo;
  readonly next: WorkInfo;

  private constructor(workInfo: WorkInfo, next: WorkInfo) {
    this.workInfo = workInfo;
    this.next = next;
  }

  /** Waits for the next response, and fetches it. */
  static *enter(
    scheduler: TileScheduler,
    work: WorkInfo,
  ): Generator<Op, WaitAndAdvanceContext, number> {
    return new WaitAndAdvanceContext(work, yield* scheduler.fetchNextWork());
  }

  [Symbol.dispose](): void {
    // The response was freed as it was fetched.
  }
}

/**
 * Fetches ahead, without a scope: `release` answers the tile after `work`. Nothing notices when it
 * is not called, and the same tile comes again.
 */
export class WaitAndAdvanceHandle {
  readonly workInfo: WorkInfo;
  readonly #next: WorkInfo;

  private constructor(workInfo: WorkInfo, next: WorkInfo) {
    this.workInfo = workInfo;
    this.#next = next;
  }

  /** Waits for the next response, and fetches it. */
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
