// Split-K: several work items share an output tile, and the last one reduces and writes it.
import { buffer, cell, end, load, loop, read, store, write } from '@poundlock/core';
import type { Buffer, Cell, Op } from '@poundlock/core';
import { option, optionTable, requireOptions, trackGenerators } from '@poundlock/core/dialect';
import type { OptionsOf } from '@poundlock/core/dialect';
import { WarpGroupBarrier } from './barriers.ts';
import { WARP_SIZE } from './config.ts';
import { SCHEDULER, TileScheduler } from './scheduler.ts';
import type { TmemStage } from './tmem.ts';
import { WorkInfo } from './work-info.ts';
import type { SchedulerWorkIterator } from './work-iterators.ts';

/** The named barrier of the epilogue's semaphore. */
const SEMAPHORE_ID = 4;

const SPLIT_K = optionTable({
  ...SCHEDULER.values,
  /** Work items of an output tile. */
  splits: option.checkedLater<number>(),
  /** K tiles of an output tile. */
  kTiles: option.checkedLater<number>(),
});

/** Options of {@link TileSchedulerSplitK}. */
export interface SplitKOptions extends OptionsOf<
  typeof SPLIT_K,
  'stages' | 'clusterSize' | 'tiles' | 'splits' | 'kTiles'
> {}

/**
 * A work item: some of the k steps of an output tile.
 *
 * @example
 * const scheduler = new TileSchedulerSplitK({
 *   stages: 0,
 *   clusterSize: 1,
 *   tiles: 1,
 *   splits: 1,
 *   kTiles: 4,
 * });
 * return [
 *   warps.epilogue(function* () {
 *     yield* scheduler.workIterator().each(function* (work: WorkInfoSplitK) {
 *       for (let k = work.kStart; k < work.kStart + work.numKTiles; k++) yield* compute(k);
 *     });
 *   }),
 * ];
 */
export class WorkInfoSplitK extends WorkInfo {
  /** The first k tile. */
  readonly kStart: number;
  /** The number of k tiles. */
  readonly numKTiles: number;
  /** Whether it is the last work item of its output tile. */
  readonly isLastSplit: boolean;

  /** Created by {@link TileSchedulerSplitK.workInfo}. */
  constructor(isValidTile: boolean, kStart: number, numKTiles: number, isLastSplit: boolean) {
    super(isValidTile);
    this.kStart = kStart;
    this.numKTiles = numKTiles;
    this.isLastSplit = isLastSplit;
  }
}

/** What a warp does with a work item. */
export type SplitBody = (current: WorkInfoSplitK) => Generator<Op, void, number>;

/**
 * Distributes work items, split by split, and adds their results up in a workspace. A lock says
 * how many k steps of the output tile are in it. One cluster works through all splits of a tile
 * here; a lock that two clusters share is not modeled.
 *
 * @example
 * const scheduler = new TileSchedulerSplitK({
 *   stages: 0,
 *   clusterSize: 1,
 *   tiles: 1,
 *   splits: 1,
 *   kTiles: 4,
 * });
 * return [
 *   warps.epilogue(function* () {
 *     yield* scheduler.workIterator().each(function* (work) {
 *       yield* compute(work.numKTiles);
 *     });
 *   }),
 * ];
 */
export class TileSchedulerSplitK {
  /** The scheduler below. */
  readonly scheduler: TileScheduler;
  readonly #splits: number;
  readonly #kTiles: number;
  readonly #workspace: Buffer;
  readonly #lock: Cell;
  readonly #sync = new WarpGroupBarrier(4 * WARP_SIZE, SEMAPHORE_ID);

  /** Declares it. */
  constructor(options: SplitKOptions) {
    requireOptions('TileSchedulerSplitK', SPLIT_K, options);
    const { splits, kTiles, ...scheduler } = options;
    this.scheduler = new TileScheduler(scheduler);
    this.#splits = splits;
    this.#kTiles = kTiles;
    this.#workspace = buffer('reduction_workspace');
    this.#lock = cell('lock');
  }

  /** The work item with this number in its output tile. */
  workInfo(split: number, isValid: boolean): WorkInfoSplitK {
    const perSplit = Math.ceil(this.#kTiles / this.#splits);
    const kStart = Math.min(split * perSplit, this.#kTiles);
    const numKTiles = Math.min(perSplit, this.#kTiles - kStart);
    return new WorkInfoSplitK(isValid, kStart, numKTiles, split === this.#splits - 1);
  }

  /** An iterator over all work items, for every warp but the scheduler's. */
  workIterator(): WorkIteratorSplitK {
    return new WorkIteratorSplitK(this, this.#splits);
  }

  /** The iterator of the scheduler warp, which asks for work items as well. */
  schedulerIterator(): SchedulerWorkIteratorSplitK {
    return new SchedulerWorkIteratorSplitK(this, this.#splits);
  }

  /**
   * Adds an accumulator to the workspace, in the order of the splits; the last split gets the sum
   * back into its accumulator. Returns whether this is the last one, which writes the tile.
   */
  *reduction(tmem: TmemStage, work: WorkInfoSplitK): Generator<Op, boolean, number> {
    const isFirst = work.kStart === 0;
    if (!isFirst) yield* this.#waitEq(work.kStart);
    tmem.loadUpper();
    tmem.loadLower();
    yield* tmem.waitLoad();
    tmem.useFragments();
    if (!isFirst) read(this.#workspace);
    if (work.isLastSplit) {
      tmem.store();
      yield* this.#arriveSet(0); // for the next output tile, whose lock is another one
      return true;
    }
    write(this.#workspace);
    yield* this.#arriveSet(work.kStart + work.numKTiles);
    return false;
  }

  /** One thread polls the lock; the others wait for it. */
  *#waitEq(value: number): Generator<Op, void, number> {
    const lock = this.#lock;
    yield* loop<null, null>(null, function* () {
      return (yield* load(lock)) === value ? end(null) : null;
    });
    yield* this.#sync.sync();
  }

  /** When every thread is there, one of them sets the lock. */
  *#arriveSet(value: number): Generator<Op, void, number> {
    yield* this.#sync.sync();
    store(this.#lock, value);
  }
}
trackGenerators(TileSchedulerSplitK);

/**
 * The work items of a warp, in order.
 *
 * @example
 * const scheduler = new TileSchedulerSplitK({
 *   stages: 0,
 *   clusterSize: 1,
 *   tiles: 1,
 *   splits: 1,
 *   kTiles: 4,
 * });
 * return [
 *   warps.epilogue(function* () {
 *     const items: WorkIteratorSplitK = scheduler.workIterator();
 *     yield* items.each(function* () {
 *       yield* compute(100);
 *     });
 *   }),
 * ];
 */
export class WorkIteratorSplitK {
  readonly #parent: TileSchedulerSplitK;
  readonly #splits: number;

  /** Created by {@link TileSchedulerSplitK.workIterator}. */
  constructor(parent: TileSchedulerSplitK, splits: number) {
    this.#parent = parent;
    this.#splits = splits;
  }

  /** Runs `body` for every work item; see {@link WorkIterator.each}. */
  *each(body: SplitBody): Generator<Op, void, number> {
    const parent = this.#parent;
    const splits = this.#splits;
    const { scheduler } = parent;
    yield* loop<boolean, null>(false, function* (needsFetch) {
      if (needsFetch) yield* scheduler.fetchResponse();
      if (!(yield* scheduler.items.more())) return end(null);
      // The splits of an output tile follow each other; each is a work item of its own.
      for (let split = 0; split < splits; split++) {
        if (split > 0) yield* scheduler.fetchResponse();
        yield* body(parent.workInfo(split, true));
        if (scheduler.rings === null) return end(null);
      }
      return true;
    });
  }
}
trackGenerators(WorkIteratorSplitK);

/**
 * The work items of the scheduler warp; see {@link SchedulerWorkIterator}.
 *
 * @example
 * const scheduler = new TileSchedulerSplitK({
 *   stages: 0,
 *   clusterSize: 1,
 *   tiles: 1,
 *   splits: 1,
 *   kTiles: 4,
 * });
 * return [
 *   warps.scheduler(function* () {
 *     const items: SchedulerWorkIteratorSplitK = scheduler.schedulerIterator();
 *     yield* items.each(function* () {
 *       yield* items.signalAndAdvance();
 *     });
 *     yield* items.drain();
 *   }),
 *   epilogueThread,
 * ];
 */
export class SchedulerWorkIteratorSplitK extends WorkIteratorSplitK {
  readonly #original: SchedulerWorkIterator;

  /** Created by {@link TileSchedulerSplitK.schedulerIterator}. */
  constructor(parent: TileSchedulerSplitK, splits: number) {
    super(parent, splits);
    this.#original = parent.scheduler.schedulerIterator();
  }

  /** Blocks until the load warp has begun a work item; then requests another one. */
  signalAndAdvance(): Generator<Op, void, number> {
    return this.#original.signalAndAdvance();
  }

  /** Blocks until every warp has fetched every response, before the CTA ends (T14). */
  drain(): Generator<Op, void, number> {
    return this.#original.drain();
  }
}
trackGenerators(SchedulerWorkIteratorSplitK);
