// The tile scheduler: Cluster Launch Control responses in a ring, paced by the load warp.
import { UNITS, arrive, asyncCopy, buffer, count, fence, pipeline, read } from '@poundlock/core';
import type { Buffer, Count, Op, ProducerConsumerPipeline } from '@poundlock/core';
import {
  option,
  optionTable,
  requireOptions,
  trackGenerators,
  closeMembers,
} from '@poundlock/core/dialect';
import type { OptionsOf } from '@poundlock/core/dialect';
import { WARP_SIZE } from './config.ts';
import { EarlierWorkIterator } from './earlier-iterator.ts';
import { WorkInfo } from './work-info.ts';
import { SchedulerWorkIterator, WorkIterator } from './work-iterators.ts';

/** Bytes of a response. */
const RESPONSE_BYTES = 16;

export const SCHEDULER = optionTable({
  /** Responses in flight; 0 if every cluster has one tile alone. */
  stages: option.checkedLater<number>(),
  /** CTAs of the cluster. */
  clusterSize: option.checkedLater<number>(),
  /** Tiles that the cluster works on, the one it was launched for included. */
  tiles: option.checkedLater<number>(),
});

/** Options of {@link TileScheduler}. */
export interface SchedulerOptions extends OptionsOf<
  typeof SCHEDULER,
  'stages' | 'clusterSize' | 'tiles'
> {}

/**
 * Distributes tiles to the warps of a cluster. One scheduler warp, in the first CTA, requests
 * another tile from the hardware; the response arrives in every CTA, and every warp fetches it by
 * itself. The load warp throttles the scheduler by one signal for each tile that it begins.
 *
 * @example
 * const scheduler = new TileScheduler({ stages: 2, clusterSize: 1, tiles: 2 });
 * const all = new WarpRoles(ctx, () => scheduler.initBarriers(32));
 * return [
 *   all.mainLoad(function* () {
 *     yield* scheduler.workIterator().each(function* () {
 *       yield* scheduler.throttleSignal(ctx.isFirstCtaInCluster);
 *     });
 *   }),
 *   all.scheduler(function* () {
 *     const tiles = scheduler.schedulerIterator();
 *     yield* tiles.each(function* () {
 *       yield* tiles.signalAndAdvance();
 *     });
 *     yield* tiles.drain();
 *   }),
 *   all.epilogue(function* () {}),
 * ];
 */
export class TileScheduler {
  /** CTAs of the cluster. */
  readonly clusterSize: number;
  /** Whether there is another tile, which on the hardware a response says. */
  readonly items: Count;
  /** Its rings; `null` if no response is ever requested. */
  readonly rings: SchedulerRings | null;

  /** Declares it; {@link initBarriers} initializes it. */
  constructor(options: SchedulerOptions) {
    requireOptions('TileScheduler', SCHEDULER, options);
    const { stages, clusterSize, tiles } = options;
    this.clusterSize = clusterSize;
    this.items = count(stages === 0 ? 1 : tiles, 'tiles');
    this.rings = stages === 0 ? null : new SchedulerRings(stages);
  }

  /**
   * Initializes its barriers in one CTA, by one thread (T1). `consumerThreads` threads of one CTA
   * fetch every response.
   */
  initBarriers(consumerThreads: number): void {
    this.rings?.init(WARP_SIZE + this.clusterSize * consumerThreads);
  }

  /** An iterator over all tiles, for every warp but the scheduler's. */
  workIterator(): WorkIterator {
    return new WorkIterator(this);
  }

  /** The iterator of earlier kernels: `while has_work(): with next()`. */
  earlierIterator(): EarlierWorkIterator {
    return new EarlierWorkIterator(this);
  }

  /** The iterator of the scheduler warp, which requests tiles as well. */
  schedulerIterator(): SchedulerWorkIterator {
    return new SchedulerWorkIterator(this);
  }

  /** The load warp of the first CTA begins a tile: all its threads allow one request (T12). */
  *throttleSignal(isFirstCtaInCluster: boolean): Generator<Op, void, number> {
    if (isFirstCtaInCluster) yield* this.rings?.throttle.producerSignalAndStep() ?? NOTHING;
  }

  /** The tile that the cluster was launched for. */
  *initialWorkInfo(): Generator<Op, WorkInfo, number> {
    return new WorkInfo(yield* this.items.more());
  }

  /** Blocks until the next response and fetches it: the next tile, or that there is none. */
  *fetchNextWork(): Generator<Op, WorkInfo, number> {
    yield* this.fetchResponse();
    return new WorkInfo(yield* this.items.more());
  }

  /**
   * Blocks until the next response, reads it, and frees it in the first CTA, by every thread
   * (T13).
   */
  *fetchResponse(): Generator<Op, void, number> {
    if (this.rings !== null) this.rings.freeResponse(yield* this.rings.clc.waitProducer());
  }

  /** Blocks until a stage is free, and requests another tile on behalf of the whole cluster. */
  *advanceToNextWork(): Generator<Op, void, number> {
    if (this.rings === null) return;
    const { clc, responses } = this.rings;
    const stage = yield* clc.waitConsumer();
    const ctas = Array.from({ length: this.clusterSize }, (_, cta) => cta);
    const bar = clc.producerMbar(stage);
    arrive(bar, { bytes: RESPONSE_BYTES, ctas });
    asyncCopy(UNITS.clc, { into: [responses[stage]!], bar, bytes: RESPONSE_BYTES, ctas });
    clc.producerStep();
  }
}
trackGenerators(TileScheduler);

const NOTHING: readonly never[] = [];

/**
 * The rings of a scheduler: responses from the hardware, and the throttle of its requests.
 *
 * @example
 * const scheduler = new TileScheduler({ stages: 1, clusterSize: 1, tiles: 1 });
 * const all = new WarpRoles(ctx, () => scheduler.initBarriers(32));
 * return [
 *   all.mainLoad(function* () {
 *     const rings: SchedulerRings = scheduler.rings!;
 *     yield* scheduler.throttleSignal(true);
 *     rings.freeResponse(yield* rings.clc.waitProducer());
 *   }),
 *   all.scheduler(function* () {
 *     const rings = scheduler.rings!;
 *     yield* rings.throttle.consumerSignalAndStep();
 *     yield* scheduler.advanceToNextWork();
 *     yield* scheduler.fetchResponse();
 *   }),
 *   all.epilogue(function* () {}),
 * ];
 */
export class SchedulerRings {
  /** The ring of responses. */
  readonly clc: ProducerConsumerPipeline;
  /** The ring that throttles requests. */
  readonly throttle: ProducerConsumerPipeline;
  /** The responses, by stage. */
  readonly responses: readonly Buffer[];

  /** Declares them. */
  constructor(stages: number) {
    const shape = { stages, producers: 0, consumers: 0 };
    this.clc = pipeline('clc', { ...shape, bytes: {} });
    this.throttle = pipeline('clc_throttle', { ...shape, bytes: {} });
    this.responses = Array.from({ length: stages }, (_, at) => buffer(`clc_response[${at}]`));
  }

  /** Reads the response in a stage, frees it in the first CTA, by every thread, and advances. */
  freeResponse(stage: number): void {
    read(this.responses[stage]!);
    fence('proxy.async');
    arrive(this.clc.consumerMbar(stage), { everyLane: true, cta: 0 });
    this.clc.consumerStep();
  }

  /**
   * Initializes the barriers: responses arrive one by one; `consumers` threads of the whole
   * cluster free one.
   */
  init(consumers: number): void {
    this.clc.initMbars(1, consumers);
    this.throttle.initMbars(WARP_SIZE, WARP_SIZE);
  }
}
closeMembers(SchedulerRings.prototype);
