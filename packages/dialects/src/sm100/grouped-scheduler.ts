// Schedulers of grouped matmuls: a list of tiles, with a scheduler in software for pairs of CTAs.
import {
  arrive,
  buffer,
  count,
  end,
  fence,
  loop,
  pipeline,
  waitParity,
  write,
} from '@poundlock/core';
import type { Buffer, Count, Op, ProducerConsumerPipeline } from '@poundlock/core';
import {
  option,
  optionTable,
  requireOptions,
  requireWord,
  closeMembers,
} from '@poundlock/core/dialect';
import { trackGenerators, type OptionsOf } from '@poundlock/core/dialect';
import { WARP_SIZE } from './config.ts';
import { WorkInfo } from './work-info.ts';

/**
 * A tile of one of the groups of a grouped matmul.
 *
 * @example
 * const scheduler = new GroupedTileScheduler({ tiles: 4, tilesPerGroup: 2 });
 * const tensormaps = buffer('tensormaps');
 * return [
 *   warps.epilogue(function* () {
 *     yield* scheduler.workIterator().each(function* (current: GroupedWorkInfo) {
 *       if (current.groupChanged) write(tensormaps);
 *     });
 *   }),
 * ];
 */
export class GroupedWorkInfo extends WorkInfo {
  /** Whether the tile before it was of another group: its tensor maps must be updated. */
  readonly groupChanged: boolean;

  /** Created by iterators. */
  constructor(isValidTile: boolean, groupChanged: boolean) {
    super(isValidTile);
    this.groupChanged = groupChanged;
  }
}

/** What a warp does with a tile. */
export type GroupedBody = (current: GroupedWorkInfo) => Generator<Op, void, number>;

const GROUPED = optionTable({
  /** Tiles that a cluster works on. */
  tiles: option.checkedLater<number>(),
  /** Tiles of one group. */
  tilesPerGroup: option.checkedLater<number>(),
});

/** Options of {@link GroupedTileScheduler}. */
export interface GroupedOptions extends OptionsOf<typeof GROUPED, 'tiles' | 'tilesPerGroup'> {}

/** The phases that `drain` of the software scheduler waits for. */
export type DrainPhase = (typeof DRAIN_PHASES)[number];
const DRAIN_PHASES = ['zero', 'producer-state'] as const;

/**
 * Distributes the tiles of all groups by number: every warp counts for itself, without a wait.
 *
 * @example
 * const scheduler = new GroupedTileScheduler({ tiles: 4, tilesPerGroup: 2 });
 * return [
 *   warps.epilogue(function* () {
 *     yield* scheduler.workIterator().each(function* () {
 *       yield* compute(100);
 *     });
 *   }),
 * ];
 */
export class GroupedTileScheduler {
  /** The tiles. */
  readonly items: Count;
  readonly #tilesPerGroup: number;

  /** Declares it. */
  constructor(options: GroupedOptions) {
    requireOptions('GroupedTileScheduler', GROUPED, options);
    const { tiles, tilesPerGroup } = options;
    this.items = count(tiles, 'tiles');
    this.#tilesPerGroup = tilesPerGroup;
  }

  /** An iterator that computes the next tile. */
  workIterator(): GroupedWorkIterator {
    return new GroupedWorkIterator(this.items, this.#tilesPerGroup);
  }
}
closeMembers(GroupedTileScheduler.prototype);

/**
 * The tiles of a warp, in order. `fetch`, if there is one, runs before each tile's work.
 *
 * @example
 * const scheduler = new GroupedTileScheduler({ tiles: 4, tilesPerGroup: 2 });
 * return [
 *   warps.epilogue(function* () {
 *     const tiles: GroupedWorkIterator = scheduler.workIterator();
 *     yield* tiles.each(function* () {
 *       yield* compute(100);
 *     });
 *   }),
 * ];
 */
export class GroupedWorkIterator {
  readonly #items: Count;
  readonly #tilesPerGroup: number;
  readonly #fetch: (() => Generator<Op, void, number>) | null;

  /** Created by schedulers. */
  constructor(items: Count, tilesPerGroup: number, fetch: GroupedWorkIterator['fetch'] = null) {
    this.#items = items;
    this.#tilesPerGroup = tilesPerGroup;
    this.#fetch = fetch;
  }

  /** What runs before each tile's work, or `null`. */
  get fetch(): (() => Generator<Op, void, number>) | null {
    return this.#fetch;
  }

  /** Runs `body` for every tile. */
  *each(body: GroupedBody): Generator<Op, void, number> {
    const items = this.#items;
    const tilesPerGroup = this.#tilesPerGroup;
    const fetch = this.#fetch;
    yield* loop<number, null>(0, function* (inGroup) {
      if (!(yield* items.more())) return end(null);
      if (fetch !== null) yield* fetch();
      yield* body(new GroupedWorkInfo(true, inGroup === 0));
      return (inGroup + 1) % tilesPerGroup;
    });
  }
}
trackGenerators(GroupedWorkIterator);

const GROUPED_CLC = optionTable({
  ...GROUPED.values,
  /** Announcements in flight. */
  stages: option.checkedLater<number>(),
  /** CTAs that multiply as one. */
  ctaGroup: option.checkedLater<number>(),
  /** `producer-state` unless specified; `zero` is the original code. */
  drain: option.oneOf(...DRAIN_PHASES),
});

/** Options of {@link GroupedClcScheduler}. */
export interface GroupedClcOptions extends OptionsOf<
  typeof GROUPED_CLC,
  'tiles' | 'tilesPerGroup' | 'stages' | 'ctaGroup'
> {}

/**
 * The scheduler of grouped matmuls on pairs of CTAs: Cluster Launch Control in software. Its ring
 * only synchronizes the MMA warps of both CTAs; every warp computes the tiles by itself.
 *
 * @example
 * const groups = { tiles: 2, tilesPerGroup: 1 };
 * const scheduler = new GroupedClcScheduler({ ...groups, stages: 2, ctaGroup: 1 });
 * const all = new WarpRoles(ctx, () => scheduler.initBarriers());
 * return [
 *   all.scheduler(function* () {
 *     const tiles = scheduler.schedulerIterator();
 *     const signals = yield* tiles.each(function* (signals) {
 *       yield* tiles.signalAndAdvance(signals);
 *     });
 *     yield* tiles.drain(signals);
 *   }),
 *   all.mma(function* () {
 *     yield* scheduler.mmaIterator().each(function* () {
 *       yield* compute(100);
 *     });
 *   }),
 *   all.epilogue(function* () {}),
 * ];
 */
export class GroupedClcScheduler {
  /** The tiles. */
  readonly items: Count;
  /** The ring of announcements. */
  readonly clc: ProducerConsumerPipeline;
  /** The announcements, by stage. */
  readonly responses: readonly Buffer[];
  /** CTAs that multiply as one. */
  readonly ctaGroup: number;
  readonly #tilesPerGroup: number;
  readonly #drain: DrainPhase;

  /** Declares it; {@link initBarriers} initializes it. */
  constructor(options: GroupedClcOptions) {
    requireOptions('GroupedClcScheduler', GROUPED_CLC, options);
    const { tiles, tilesPerGroup, stages, ctaGroup, drain = 'producer-state' } = options;
    this.items = count(tiles, 'tiles');
    this.clc = pipeline('clc', { stages, bytes: {}, producers: 0, consumers: 0 });
    this.responses = Array.from({ length: stages }, (_, at) => buffer(`clc_response[${at}]`));
    this.ctaGroup = ctaGroup;
    this.#tilesPerGroup = tilesPerGroup;
    this.#drain = drain;
  }

  /**
   * Initializes its barriers: one elected thread fills a stage; the MMA warps of all CTAs empty
   * it, in the first CTA.
   */
  initBarriers(): void {
    this.clc.initMbars(1, WARP_SIZE * this.ctaGroup);
  }

  /** For warps that compute the next tile. */
  workIterator(): GroupedWorkIterator {
    return new GroupedWorkIterator(this.items, this.#tilesPerGroup);
  }

  /** For the MMA warps, which fetch before the work, unlike {@link WorkIterator}. */
  mmaIterator(): GroupedWorkIterator {
    return new GroupedWorkIterator(this.items, this.#tilesPerGroup, () => this.#fetchNextWork());
  }

  /** For the scheduler warp. */
  schedulerIterator(): GroupedClcSchedulerIterator {
    return new GroupedClcSchedulerIterator(this, this.#drain);
  }

  /** Waits for an announcement of the scheduler, and every thread confirms it. */
  *#fetchNextWork(): Generator<Op, void, number> {
    const stage = yield* this.clc.waitProducer();
    fence('proxy.async');
    arrive(this.clc.consumerMbar(stage), { everyLane: true, cta: 0 });
    this.clc.consumerStep();
  }
}
closeMembers(GroupedClcScheduler.prototype);

/**
 * The iterator of the scheduler warp.
 *
 * @example
 * const groups = { tiles: 1, tilesPerGroup: 1 };
 * const scheduler = new GroupedClcScheduler({ ...groups, stages: 1, ctaGroup: 1 });
 * const all = new WarpRoles(ctx, () => scheduler.initBarriers());
 * return [
 *   all.scheduler(function* () {
 *     const tiles: GroupedClcSchedulerIterator = scheduler.schedulerIterator();
 *     const signals = yield* tiles.each(function* (signals) {
 *       yield* tiles.signalAndAdvance(signals);
 *     });
 *     yield* tiles.drain(signals);
 *   }),
 *   all.mma(function* () {
 *     yield* scheduler.mmaIterator().each(function* () {});
 *   }),
 *   all.epilogue(function* () {}),
 * ];
 */
export class GroupedClcSchedulerIterator {
  readonly #scheduler: GroupedClcScheduler;
  readonly #drain: DrainPhase;

  /** Created by {@link GroupedClcScheduler.schedulerIterator}. */
  constructor(scheduler: GroupedClcScheduler, drain: DrainPhase) {
    requireWord('the drain of GroupedClcScheduler', drain, DRAIN_PHASES);
    this.#scheduler = scheduler;
    this.#drain = drain;
  }

  /**
   * Runs `body` for every tile, with the number of announcements so far, up to the number of
   * stages; returns that number for {@link drain}.
   */
  *each(body: (signals: number) => Generator<Op, void, number>): Generator<Op, number, number> {
    const { items, clc } = this.#scheduler;
    return yield* loop(0, function* (signals) {
      if (!(yield* items.more())) return end(signals);
      yield* body(signals);
      return Math.min(signals + 1, clc.stages);
    });
  }

  /** Announces one more tile; the first ones find every stage empty. */
  *signalAndAdvance(signals: number): Generator<Op, void, number> {
    const { clc, responses, ctaGroup } = this.#scheduler;
    const waits = signals >= clc.stages;
    const stage = waits ? yield* clc.waitConsumer() : yield* clc.producerStage();
    write(responses[stage]!);
    const ctas = Array.from({ length: ctaGroup }, (_, cta) => cta);
    arrive(clc.producerMbar(stage), { ctas });
    clc.producerStep();
  }

  /** Blocks until all announcements were received; with `zero`, by parity 0 of the first stages. */
  *drain(signals: number): Generator<Op, void, number> {
    const { clc } = this.#scheduler;
    if (this.#drain === 'producer-state') return yield* clc.drain();
    for (let stage = 0; stage < Math.min(signals, clc.stages); stage++) {
      yield* waitParity(clc.consumerMbar(stage), 0);
    }
  }
}
trackGenerators(GroupedClcSchedulerIterator);
