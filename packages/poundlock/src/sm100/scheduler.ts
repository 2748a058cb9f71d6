// The tile scheduler: Cluster Launch Control responses in a ring, paced by the load warp.
import { UNITS, type Op } from '@poundlock/core/internal/op';
import { pipeline, type ProducerConsumerPipeline } from '@poundlock/core/internal/pipeline';
import { arrive, asyncCopy, buffer, count, fence, read } from '@poundlock/core/internal/program';
import type { Buffer, Count } from '@poundlock/core/internal/program';
import { WARP_SIZE } from './config.ts';
import { EarlierWorkIterator } from './earlier-iterator.ts';
import { WorkInfo } from './work-info.ts';
import { SchedulerWorkIterator, WorkIterator } from './work-iterators.ts';

/** Bytes of a response. */
const RESPONSE_BYTES = 16;

export interface SchedulerOptions {
  /** Responses in flight; 0 where every cluster has one tile alone. */
  readonly stages: number;
  /** CTAs of the cluster. */
  readonly clusterSize: number;
  /** Tiles that the cluster works on, the one it was launched for included. */
  readonly tiles: number;
}

/**
 * Deals tiles out to the warps of a cluster. One scheduler warp, in the first CTA, asks the
 * hardware for another tile; the response lands in every CTA, and every warp fetches it by itself.
 * The load warp holds the scheduler back by one signal for each tile that it begins.
 *
 * @example
 * const scheduler = new TileScheduler({ stages: 2, clusterSize: 2, tiles: 4 });
 */
export class TileScheduler {
  readonly clusterSize: number;
  /** Whether there is another tile, which in the hardware a response says. */
  readonly items: Count;
  /** `null` where no response is ever asked for. */
  readonly rings: SchedulerRings | null;

  /** Declares it; {@link initBarriers} makes it ready. */
  constructor(options: SchedulerOptions) {
    const { stages, clusterSize, tiles } = options;
    this.clusterSize = clusterSize;
    this.items = count(stages === 0 ? 1 : tiles, 'tiles');
    this.rings = stages === 0 ? null : new SchedulerRings(stages);
  }

  /**
   * Initialises its barriers in one CTA, by one thread (T1).
   *
   * @param consumerThreads threads of one CTA that fetch every response.
   */
  initBarriers(consumerThreads: number): void {
    this.rings?.init(WARP_SIZE + this.clusterSize * consumerThreads);
  }

  /** An iterator over all tiles, for every warp but the scheduler's. */
  workIterator(): WorkIterator {
    return new WorkIterator(this);
  }

  /** The iterator that kernels had before: `while has_work(): with next()`. */
  earlierIterator(): EarlierWorkIterator {
    return new EarlierWorkIterator(this);
  }

  /** The iterator of the scheduler warp, which asks for tiles as well. */
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

  /** Waits for the next response, and fetches it: the next tile, or that there is none. */
  *fetchNextWork(): Generator<Op, WorkInfo, number> {
    yield* this.fetchResponse();
    return new WorkInfo(yield* this.items.more());
  }

  /** Waits for the next response, reads it, frees it in the first CTA, by every thread (T13). */
  *fetchResponse(): Generator<Op, void, number> {
    if (this.rings !== null) this.rings.freeResponse(yield* this.rings.clc.waitProducer());
  }

  /** Waits for a free place, and asks for another tile on behalf of the whole cluster. */
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

const NOTHING: readonly never[] = [];

/** The rings of a scheduler: responses from the hardware, and what holds the requests back. */
export class SchedulerRings {
  readonly clc: ProducerConsumerPipeline;
  readonly throttle: ProducerConsumerPipeline;
  readonly responses: readonly Buffer[];

  constructor(stages: number) {
    const shape = { stages, producers: 0, consumers: 0 };
    this.clc = pipeline('clc', { ...shape, bytes: {} });
    this.throttle = pipeline('clc_throttle', { ...shape, bytes: {} });
    this.responses = Array.from({ length: stages }, (_, at) => buffer(`clc_response[${at}]`));
  }

  /** Reads the response in a stage, frees it in the first CTA, by every thread, and steps. */
  freeResponse(stage: number): void {
    read(this.responses[stage]!);
    fence('proxy.async');
    arrive(this.clc.consumerMbar(stage), { everyLane: true, cta: 0 });
    this.clc.consumerStep();
  }

  /** Responses arrive one by one; `consumers` threads of the whole cluster free one. */
  init(consumers: number): void {
    this.clc.initMbars(1, consumers);
    this.throttle.initMbars(WARP_SIZE, WARP_SIZE);
  }
}
