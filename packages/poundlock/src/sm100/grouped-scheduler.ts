// Schedulers of grouped matmuls: a list of tiles, with a scheduler in software for pairs of CTAs.
import type { Op } from '@poundlock/core/internal/op';
import { pipeline, type ProducerConsumerPipeline } from '@poundlock/core/internal/pipeline';
import {
  arrive,
  buffer,
  count,
  end,
  fence,
  loop,
  waitParity,
  write,
} from '@poundlock/core/internal/program';
import type { Buffer, Count } from '@poundlock/core/internal/program';
import { WARP_SIZE } from './config.ts';
import { WorkInfo } from './work-info.ts';

/** A tile of one of the groups. */
export class GroupedWorkInfo extends WorkInfo {
  /** Whether the tile before it was of another group: its tensor maps are then to be changed. */
  readonly groupChanged: boolean;

  constructor(isValidTile: boolean, groupChanged: boolean) {
    super(isValidTile);
    this.groupChanged = groupChanged;
  }
}

export type GroupedBody = (current: GroupedWorkInfo) => Generator<Op, void, number>;

export interface GroupedOptions {
  /** Tiles that a cluster works on. */
  readonly tiles: number;
  readonly tilesPerGroup: number;
}

/** Where `drain` of the software scheduler gets its phases from. */
export type DrainPhase = 'zero' | 'producer-state';

/** Deals the tiles of all groups out by number: every warp counts for itself, nobody waits. */
export class GroupedTileScheduler {
  readonly items: Count;
  readonly #tilesPerGroup: number;

  constructor({ tiles, tilesPerGroup }: GroupedOptions) {
    this.items = count(tiles, 'tiles');
    this.#tilesPerGroup = tilesPerGroup;
  }

  /** An iterator that computes the next tile. */
  workIterator(): GroupedWorkIterator {
    return new GroupedWorkIterator(this.items, this.#tilesPerGroup);
  }
}

/** The tiles of a warp, in order; `fetch`, where there is one, comes before each tile's work. */
export class GroupedWorkIterator {
  readonly #items: Count;
  readonly #tilesPerGroup: number;
  readonly #fetch: (() => Generator<Op, void, number>) | null;

  constructor(items: Count, tilesPerGroup: number, fetch: GroupedWorkIterator['fetch'] = null) {
    this.#items = items;
    this.#tilesPerGroup = tilesPerGroup;
    this.#fetch = fetch;
  }

  /** What the iterator waits for as it hands a tile out. */
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

export interface GroupedClcOptions extends GroupedOptions {
  readonly stages: number;
  readonly ctaGroup: number;
  /** `producer-state` unless given; `zero` is what was written. */
  readonly drain?: DrainPhase;
}

/**
 * The scheduler of grouped matmuls on pairs of CTAs: Cluster Launch Control in software. Its ring
 * only keeps the MMA warps of both CTAs together; every warp computes the tiles by itself.
 */
export class GroupedClcScheduler {
  readonly items: Count;
  readonly clc: ProducerConsumerPipeline;
  readonly responses: readonly Buffer[];
  readonly ctaGroup: number;
  readonly #tilesPerGroup: number;
  readonly #drain: DrainPhase;

  constructor(options: GroupedClcOptions) {
    const { tiles, tilesPerGroup, stages, ctaGroup, drain = 'producer-state' } = options;
    this.items = count(tiles, 'tiles');
    this.clc = pipeline('clc', { stages, bytes: {}, producers: 0, consumers: 0 });
    this.responses = Array.from({ length: stages }, (_, at) => buffer(`clc_response[${at}]`));
    this.ctaGroup = ctaGroup;
    this.#tilesPerGroup = tilesPerGroup;
    this.#drain = drain;
  }

  /** One elected thread fills a stage; the MMA warps of all CTAs empty it, in the first one. */
  initBarriers(): void {
    this.clc.initMbars(1, WARP_SIZE * this.ctaGroup);
  }

  /** For warps that compute the next tile. */
  workIterator(): GroupedWorkIterator {
    return new GroupedWorkIterator(this.items, this.#tilesPerGroup);
  }

  /** For the MMA warps, which fetch: before the work, unlike {@link WorkIterator}. */
  mmaIterator(): GroupedWorkIterator {
    return new GroupedWorkIterator(this.items, this.#tilesPerGroup, () => this.#fetchNextWork());
  }

  /** For the scheduler warp. */
  schedulerIterator(): GroupedClcSchedulerIterator {
    return new GroupedClcSchedulerIterator(this, this.#drain);
  }

  /** Waits until the scheduler says so, and tells it so, by every thread. */
  *#fetchNextWork(): Generator<Op, void, number> {
    const stage = yield* this.clc.waitProducer();
    fence('proxy.async');
    arrive(this.clc.consumerMbar(stage), { everyLane: true, cta: 0 });
    this.clc.consumerStep();
  }
}

/** The scheduler warp's iterator. */
export class GroupedClcSchedulerIterator {
  readonly #scheduler: GroupedClcScheduler;
  readonly #drain: DrainPhase;

  constructor(scheduler: GroupedClcScheduler, drain: DrainPhase) {
    this.#scheduler = scheduler;
    this.#drain = drain;
  }

  /**
   * Runs `body` for every tile, with the number of announcements so far, as far as it matters;
   * answers that number for {@link drain}.
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

  /** Waits until all announcements were seen; as written, by parity 0 of the first stages. */
  *drain(signals: number): Generator<Op, void, number> {
    const { clc } = this.#scheduler;
    if (this.#drain === 'producer-state') return yield* clc.drain();
    for (let stage = 0; stage < Math.min(signals, clc.stages); stage++) {
      yield* waitParity(clc.consumerMbar(stage), 0);
    }
  }
}
