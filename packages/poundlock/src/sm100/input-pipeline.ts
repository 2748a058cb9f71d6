// The input pipeline: TMA fills stages of tiles, the MMA warp empties them.
import { currentPosition, InputError } from '@poundlock/core/internal/base';
import { Side, type Op } from '@poundlock/core/internal/op';
import { Endpoint, ProducerConsumerPipeline, declareRing } from '@poundlock/core/internal/pipeline';
import { requireCount, type Barrier, type Operation } from '@poundlock/core/internal/program';
import { ConsumerTiles, InputConsumerStage } from './input-stages.ts';
import { InputProducerStage, ProducerTiles, type TileRing } from './input-stages.ts';
import type { TilePayload } from './payload.ts';

export interface InputPipelineOptions {
  /** Tiles of each kind; a multiple of `kGroupSize`. */
  readonly stages: number;
  /** Tiles of each kind under one pair of barriers; 1 unless given. */
  readonly kGroupSize?: number;
}

/**
 * A ring of tiles between the load and the MMA warp: `InputTilePipeline` of the structured kernels.
 * A stage has `kGroupSize` tiles of each kind under one pair of barriers. Releases only step: TMA
 * bytes signal a stage full, the commit of the MMAs that read it signals it empty.
 *
 * @example
 * const inputPipeline = new InputTilePipeline('input', tilePayload, { stages: 4 });
 */
export class InputTilePipeline<P extends TilePayload> {
  /** The pipeline below, with its counters. */
  readonly pipeline: ProducerConsumerPipeline;
  readonly payload: P;
  readonly kGroupSize: number;
  /** Stages, of `kGroupSize` tiles each. */
  readonly numGroupStages: number;
  readonly #roles: { readonly producer: InputProducer<P>; readonly consumer: InputConsumer<P> };
  readonly #acquireProducer: Operation<InputProducerStage<P>>;
  readonly #acquireConsumer: Operation<InputConsumerStage<P>>;

  /** Declares it; {@link initBarriers} makes it ready. */
  constructor(name: string, payload: P, options: InputPipelineOptions) {
    const { stages, kGroupSize = 1 } = options;
    requireCount(`the kGroupSize of ${name}`, kGroupSize, 1);
    if (stages % kGroupSize !== 0) {
      throw new InputError(
        `the stages of ${name} must be a multiple of ${kGroupSize}, not ${stages}`,
        currentPosition(),
      );
    }
    this.payload = payload;
    this.kGroupSize = kGroupSize;
    this.numGroupStages = stages / kGroupSize;
    const shape = { stages: this.numGroupStages, bytes: {}, producers: 0, consumers: 0 };
    const ring: TileRing<P> = Object.assign(
      declareRing(name, shape, (_, side, stage, id) => {
        const Handle = side === Side.produce ? InputProducerStage<P> : InputConsumerStage<P>;
        return new Handle(ring, side, stage, id);
      }),
      { payload },
    );
    this.pipeline = new ProducerConsumerPipeline(ring);
    const producer = new Endpoint(ring, Side.produce);
    const consumer = new Endpoint(ring, Side.consume);
    this.#acquireProducer = producer.acquire(InputProducerStage<P>);
    this.#acquireConsumer = consumer.acquire(InputConsumerStage<P>);
    this.#roles = {
      producer: new InputProducer(this, producer),
      consumer: new InputConsumer(this, consumer),
    };
  }

  /** Initialises every stage: by one thread, before anybody else uses one (T1). */
  initBarriers(producers: number, consumers: number): void {
    this.pipeline.initMbars(producers, consumers);
  }

  /** The load warp's view. */
  producer(): InputProducer<P> {
    return this.#roles.producer;
  }

  /** The MMA warp's view. */
  consumer(): InputConsumer<P> {
    return this.#roles.consumer;
  }

  /** Waits until the next stage is empty; the handle must be released by one call. */
  acquireProducer(): Operation<InputProducerStage<P>> {
    return this.#acquireProducer;
  }

  /** Waits until the next stage is full; the handle must be released by one call. */
  acquireConsumer(): Operation<InputConsumerStage<P>> {
    return this.#acquireConsumer;
  }

  /** Asks once whether the next stage is empty. */
  tryAcquireProducer(): Operation<boolean> {
    return this.pipeline.tryWaitConsumer();
  }

  /** Asks once whether the next stage is full. */
  tryAcquireConsumer(): Operation<boolean> {
    return this.pipeline.tryWaitProducer();
  }

  /** For the producer: waits unless a try has said that the next stage is empty. */
  waitConsumerIfNeeded(ready: boolean): Operation<number> {
    return this.pipeline.waitConsumerIfNeeded(ready);
  }

  /** For the consumer: waits unless a try has said that the next stage is full. */
  waitProducerIfNeeded(ready: boolean): Operation<number> {
    return this.pipeline.waitProducerIfNeeded(ready);
  }

  producerStage(): Operation<number> {
    return this.pipeline.producerStage();
  }

  consumerStage(): Operation<number> {
    return this.pipeline.consumerStage();
  }

  producerMbar(stage: number): Barrier {
    return this.pipeline.producerMbar(stage);
  }

  consumerMbar(stage: number): Barrier {
    return this.pipeline.consumerMbar(stage);
  }

  /** Waits until every stage that was filled is empty: no commit is on its way here any more. */
  drainProducer(): Generator<Op, void, number> {
    return this.pipeline.drain();
  }
}

/** The load warp's view; its block does nothing as it ends, so that `drain` must be written. */
export class InputProducer<P extends TilePayload> implements Disposable {
  readonly #pipeline: InputTilePipeline<P>;
  readonly #acquire: Operation<ProducerTiles<P>>;
  readonly #acquireReady: Operation<ProducerTiles<P>>;

  constructor(pipeline: InputTilePipeline<P>, endpoint: Endpoint) {
    this.#pipeline = pipeline;
    this.#acquire = endpoint.acquire(ProducerTiles<P>);
    this.#acquireReady = endpoint.acquire(ProducerTiles<P>, true);
  }

  /** Waits until the next stage is empty; left as the block ends. */
  acquire(): Operation<ProducerTiles<P>> {
    return this.#acquire;
  }

  /** As {@link acquire}, released by one call. */
  acquireStage(): Operation<InputProducerStage<P>> {
    return this.#pipeline.acquireProducer();
  }

  /** Asks once whether the next stage is empty; the answer is good for that stage alone (T18). */
  tryAcquire(): Operation<boolean> {
    return this.#pipeline.tryAcquireProducer();
  }

  /** As {@link acquire}, without a wait where a try has said that the stage is empty. */
  acquireIfNeeded(ready: boolean): Operation<ProducerTiles<P>> {
    return ready ? this.#acquireReady : this.#acquire;
  }

  /** Waits until every stage is empty, before the CTA ends (T14). */
  drain(): Generator<Op, void, number> {
    return this.#pipeline.drainProducer();
  }

  [Symbol.dispose](): void {
    // As in Mojo: leaving the view neither drains nor steps.
  }
}

/** The MMA warp's view; its block does nothing as it ends. */
export class InputConsumer<P extends TilePayload> implements Disposable {
  readonly #pipeline: InputTilePipeline<P>;
  readonly #acquire: Operation<ConsumerTiles<P>>;
  readonly #acquireReady: Operation<ConsumerTiles<P>>;

  constructor(pipeline: InputTilePipeline<P>, endpoint: Endpoint) {
    this.#pipeline = pipeline;
    this.#acquire = endpoint.acquire(ConsumerTiles<P>);
    this.#acquireReady = endpoint.acquire(ConsumerTiles<P>, true);
  }

  /** Waits until the next stage is full; left as the block ends. */
  acquire(): Operation<ConsumerTiles<P>> {
    return this.#acquire;
  }

  /** As {@link acquire}, released by one call. */
  acquireStage(): Operation<InputConsumerStage<P>> {
    return this.#pipeline.acquireConsumer();
  }

  /** Asks once whether the next stage is full; the answer is good for that stage alone (T18). */
  tryAcquire(): Operation<boolean> {
    return this.#pipeline.tryAcquireConsumer();
  }

  /** As {@link acquire}, without a wait where a try has said that the stage is full. */
  acquireIfNeeded(ready: boolean): Operation<ConsumerTiles<P>> {
    return ready ? this.#acquireReady : this.#acquire;
  }

  [Symbol.dispose](): void {
    // As in Mojo: leaving the view neither signals nor steps.
  }
}
