// The input pipeline: TMA fills stages of tiles, the MMA warp empties them.
import { InputError, ProducerConsumerPipeline, Side } from '@poundlock/core';
import type { Barrier, Op, Operation } from '@poundlock/core';
import {
  Endpoint,
  created,
  currentPosition,
  declareRing,
  option,
  optionTable,
  requireCount,
  requireOptions,
  type OptionsOf,
  closeMembers,
} from '@poundlock/core/dialect';
import { ConsumerTiles, InputConsumerStage } from './input-stages.ts';
import { InputProducerStage, ProducerTiles, type TileRing } from './input-stages.ts';
import type { TilePayload } from './payload.ts';

const INPUT = optionTable({
  /** Tiles of each kind; a multiple of `kGroupSize`. */
  stages: option.checkedLater<number>(),
  /** Tiles of each kind under one pair of barriers; 1 unless specified. */
  kGroupSize: option.checkedLater<number>(),
});

/** Options of {@link InputTilePipeline}. */
export interface InputPipelineOptions extends OptionsOf<typeof INPUT, 'stages'> {}

/**
 * A ring of tiles between the load and the MMA warp: `InputTilePipeline` of the structured
 * kernels. A stage has `kGroupSize` tiles of each kind under one pair of barriers. Releases only
 * advance: TMA bytes signal a stage full, the commit of the MMAs that read it signals it empty.
 *
 * @throws InputError for a number of stages that is not a multiple of `kGroupSize`.
 *
 * @example
 * const two = new InputTilePipeline('two', payload, { stages: 2, kGroupSize: 2 });
 * const both = new WarpRoles(ctx, () => two.initBarriers(1, 1));
 * return [
 *   both.mainLoad(function* () {
 *     using producer = two.producer();
 *     using tiles = yield* producer.acquire();
 *     tiles.expectBytes(2 * payload.bytes);
 *     for (const k of [0, 1]) {
 *       const pair = payload.getTile(tiles.stage(), k, 2);
 *       for (const tile of pair) loader.load(tile, tiles.barrier());
 *     }
 *   }),
 *   both.mma(function* () {
 *     using consumer = two.consumer();
 *     using tiles = yield* consumer.acquire();
 *     for (const k of [0, 1]) mmaOp.mma(payload.getTile(tiles.stage(), k, 2), acc);
 *     mmaOp.commit(tiles.mbar());
 *   }),
 *   both.epilogue(function* () {}),
 * ];
 */
export class InputTilePipeline<P extends TilePayload> {
  /** The pipeline below, with its counters. */
  readonly pipeline: ProducerConsumerPipeline;
  /** The tiles. */
  readonly payload: P;
  /** Tiles of each kind in a stage. */
  readonly kGroupSize: number;
  /** Stages, of `kGroupSize` tiles each. */
  readonly numGroupStages: number;
  readonly #roles: { readonly producer: InputProducer<P>; readonly consumer: InputConsumer<P> };
  readonly #producer: Endpoint;
  readonly #consumer: Endpoint;
  // Created when first used: a kernel uses few of them, and is called for each role again.
  #acquireProducer: Operation<InputProducerStage<P>> | undefined;
  #acquireConsumer: Operation<InputConsumerStage<P>> | undefined;

  /** Declares it; {@link initBarriers} initializes it. */
  constructor(name: string, payload: P, options: InputPipelineOptions) {
    requireOptions('InputTilePipeline', INPUT, options);
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
    this.#producer = new Endpoint(ring, Side.produce);
    this.#consumer = new Endpoint(ring, Side.consume);
    this.#roles = {
      producer: new InputProducer(this, this.#producer),
      consumer: new InputConsumer(this, this.#consumer),
    };
  }

  /** Initializes every stage: by one thread, before any use (T1). */
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

  /** Blocks until the next stage is empty; the handle must be released by exactly one call. */
  acquireProducer(): Operation<InputProducerStage<P>> {
    return created(
      (this.#acquireProducer ??= this.#producer.acquire(
        InputProducerStage<P>,
        'acquireProducer()',
      )),
    );
  }

  /** Blocks until the next stage is full; the handle must be released by exactly one call. */
  acquireConsumer(): Operation<InputConsumerStage<P>> {
    return created(
      (this.#acquireConsumer ??= this.#consumer.acquire(
        InputConsumerStage<P>,
        'acquireConsumer()',
      )),
    );
  }

  /** Tests once whether the next stage is empty. */
  tryAcquireProducer(): Operation<boolean> {
    return this.pipeline.tryWaitConsumer();
  }

  /** Tests once whether the next stage is full. */
  tryAcquireConsumer(): Operation<boolean> {
    return this.pipeline.tryWaitProducer();
  }

  /** For the producer: blocks until the next stage is empty, unless a test returned so. */
  waitConsumerIfNeeded(ready: boolean): Operation<number> {
    return this.pipeline.waitConsumerIfNeeded(ready);
  }

  /** For the consumer: blocks until the next stage is full, unless a test returned so. */
  waitProducerIfNeeded(ready: boolean): Operation<number> {
    return this.pipeline.waitProducerIfNeeded(ready);
  }

  /** The stage that the role produces next. */
  producerStage(): Operation<number> {
    return this.pipeline.producerStage();
  }

  /** The stage that the role consumes next. */
  consumerStage(): Operation<number> {
    return this.pipeline.consumerStage();
  }

  /** The full barrier of a stage. */
  producerMbar(stage: number): Barrier {
    return this.pipeline.producerMbar(stage);
  }

  /** The empty barrier of a stage. */
  consumerMbar(stage: number): Barrier {
    return this.pipeline.consumerMbar(stage);
  }

  /** Blocks until every stage that was filled is empty, so that no commit is in flight. */
  drainProducer(): Generator<Op, void, number> {
    return this.pipeline.drain();
  }
}
closeMembers(InputTilePipeline.prototype);

/**
 * The load warp's view. The end of its block does nothing, so `drain` must be called.
 *
 * @example
 * return [
 *   warps.mainLoad(function* () {
 *     using producer = input.producer();
 *     const ready = yield* producer.tryAcquire();
 *     {
 *       using tiles = yield* producer.acquireIfNeeded(ready);
 *       tiles.expectBytes(payload.bytes);
 *       for (const tile of payload.getTile(tiles.stage())) loader.load(tile, tiles.barrier());
 *     }
 *     yield* producer.drain();
 *   }),
 *   multiply,
 *   epilogueThread,
 * ];
 */
export class InputProducer<P extends TilePayload> implements Disposable {
  readonly #pipeline: InputTilePipeline<P>;
  readonly #endpoint: Endpoint;
  #acquire: Operation<ProducerTiles<P>> | undefined;
  #acquireReady: Operation<ProducerTiles<P>> | undefined;

  /** @internal */
  constructor(pipeline: InputTilePipeline<P>, endpoint: Endpoint) {
    this.#pipeline = pipeline;
    this.#endpoint = endpoint;
  }

  /** Blocks until the next stage is empty; the stage is released when its block ends. */
  acquire(): Operation<ProducerTiles<P>> {
    return created((this.#acquire ??= this.#endpoint.acquire(ProducerTiles<P>, 'acquire()')));
  }

  /** As {@link acquire}, but the handle must be released by exactly one call. */
  acquireStage(): Operation<InputProducerStage<P>> {
    return this.#pipeline.acquireProducer();
  }

  /** Tests once whether the next stage is empty; the result is valid for that stage alone (T18). */
  tryAcquire(): Operation<boolean> {
    return this.#pipeline.tryAcquireProducer();
  }

  /** As {@link acquire}, without a wait if a test returned that the stage is empty. */
  acquireIfNeeded(ready: boolean): Operation<ProducerTiles<P>> {
    return ready
      ? created(
          (this.#acquireReady ??= this.#endpoint.acquire(
            ProducerTiles<P>,
            'acquireIfNeeded()',
            true,
          )),
        )
      : this.acquire();
  }

  /** Blocks until every stage is empty, before the CTA ends (T14). */
  drain(): Generator<Op, void, number> {
    return this.#pipeline.drainProducer();
  }

  /** Does nothing, as in Mojo. */
  [Symbol.dispose](): void {
    // As in Mojo: leaving the view neither drains nor steps.
  }
}

/**
 * The MMA warp's view. The end of its block does nothing.
 *
 * @example
 * return [
 *   load,
 *   warps.mma(function* () {
 *     using consumer = input.consumer();
 *     const tiles = yield* consumer.acquireStage();
 *     mmaOp.mma(payload.getTile(tiles.stage()), acc);
 *     mmaOp.commit(tiles.mbar());
 *     tiles.release();
 *   }),
 *   epilogueThread,
 * ];
 */
export class InputConsumer<P extends TilePayload> implements Disposable {
  readonly #pipeline: InputTilePipeline<P>;
  readonly #endpoint: Endpoint;
  #acquire: Operation<ConsumerTiles<P>> | undefined;
  #acquireReady: Operation<ConsumerTiles<P>> | undefined;

  /** @internal */
  constructor(pipeline: InputTilePipeline<P>, endpoint: Endpoint) {
    this.#pipeline = pipeline;
    this.#endpoint = endpoint;
  }

  /** Blocks until the next stage is full; the stage is released when its block ends. */
  acquire(): Operation<ConsumerTiles<P>> {
    return created((this.#acquire ??= this.#endpoint.acquire(ConsumerTiles<P>, 'acquire()')));
  }

  /** As {@link acquire}, but the handle must be released by exactly one call. */
  acquireStage(): Operation<InputConsumerStage<P>> {
    return this.#pipeline.acquireConsumer();
  }

  /** Tests once whether the next stage is full; the result is valid for that stage alone (T18). */
  tryAcquire(): Operation<boolean> {
    return this.#pipeline.tryAcquireConsumer();
  }

  /** As {@link acquire}, without a wait if a test returned that the stage is full. */
  acquireIfNeeded(ready: boolean): Operation<ConsumerTiles<P>> {
    return ready
      ? created(
          (this.#acquireReady ??= this.#endpoint.acquire(
            ConsumerTiles<P>,
            'acquireIfNeeded()',
            true,
          )),
        )
      : this.acquire();
  }

  /** Does nothing, as in Mojo. */
  [Symbol.dispose](): void {
    // As in Mojo: leaving the view neither signals nor steps.
  }
}
