// The N-stage pipeline: producers wait for empty, consumers for full, each with its own counter.
import { closeMembers, currentPosition, InputError, option } from '../base/index.ts';
import { optionTable, requireOptions, type OptionsOf } from '../base/index.ts';
import { Side, type Op } from '../op/index.ts';
import { created, init, requireCount, trackGenerators } from '../program/index.ts';
import type { Barrier, Buffer, Operation } from '../program/index.ts';
import { Endpoint } from './endpoint.ts';
import { ConsumerStage, ProducerStage } from './linear.ts';
import { declareRing, forkRing, type PipelineOptions, type RingDeclaration } from './ring.ts';
import { ConsumeContext, ExplicitConsumeContext, ProduceContext } from './scoped.ts';

export const STEP = optionTable({
  /**
   * How many threads of the role step; all of them unless specified, as Mojo and CUTLASS require.
   */
  lanes: option.checkedLater<number>(),
});

/**
 * Options of {@link ProducerConsumerPipeline.producerStep} and {@link
 * ProducerConsumerPipeline.consumerStep}.
 */
export interface StepOptions extends OptionsOf<typeof STEP> {}

/**
 * A ring of stages between producers and consumers, as Modular's `ProducerConsumerPipeline`: a
 * full and an empty barrier for each stage, and a counter for each role and side that names the
 * next stage. Acquiring waits for the next stage and returns a handle; releasing passes the stage
 * to the other side. A wait has the name of the side that it waits for: the producer calls
 * `waitConsumer`.
 *
 * Semantics: docs/reference/semantics.md R01–R10. `advance: 'release'` is that of Mojo,
 * `'acquire'` that of CuTe DSL.
 *
 * @example
 * const ab = pipeline('ab', { stages: 2, bytes: 128 });
 * return [
 *   role('load', function* () {
 *     const stage = yield* ab.waitConsumer();
 *     arrive(ab.producerMbar(stage), { bytes: 128 });
 *     asyncCopy(UNITS.tma, { into: ab.buffers(stage), bar: ab.producerMbar(stage), bytes: 128 });
 *     ab.producerStep();
 *   }),
 *   role('mma', function* () {
 *     using tile = yield* ab.consume();
 *     read(tile.buffer());
 *   }),
 * ];
 */
export class ProducerConsumerPipeline {
  /** Its name, in findings. */
  readonly name: string;
  /** Its number of stages. */
  readonly stages: number;
  readonly #ring: RingDeclaration;
  readonly #producer: Endpoint;
  readonly #consumer: Endpoint;
  // Created when first used: a kernel uses few of them, and is called for each role again.
  #produce: Operation<ProduceContext> | undefined;
  #consume: Operation<ConsumeContext> | undefined;
  #consumeExplicit: Operation<ExplicitConsumeContext> | undefined;
  #acquireProducer: Operation<ProducerStage> | undefined;
  #acquireConsumer: Operation<ConsumerStage> | undefined;
  #tryClaim: Operation<ConsumerStage | null> | undefined;
  #copies = 0;

  /** Created by {@link pipeline} and {@link copy}, and by a dialect over a ring of its own. */
  constructor(ring: RingDeclaration) {
    this.name = ring.name;
    this.stages = ring.stages;
    this.#ring = ring;
    this.#producer = new Endpoint(ring, Side.produce);
    this.#consumer = new Endpoint(ring, Side.consume);
  }

  /**
   * Initializes every barrier, from inside one role, before any use; the other roles need a sync
   * after it. It is for a pipeline that was declared with `producers: 0, consumers: 0`: any other
   * is ready from the start, and initializing it again is a finding (M01).
   *
   * @throws InputError for a count that is not a whole number of at least 1.
   */
  initMbars(producers: number, consumers: number): void {
    requireCount(`the producers of pipeline ${this.name}`, producers, 1);
    requireCount(`the consumers of pipeline ${this.name}`, consumers, 1);
    for (const full of this.#ring.full) init(full, producers);
    for (const empty of this.#ring.empty) init(empty, consumers);
  }

  /**
   * The full barrier of a stage: what a producer signals.
   *
   * @throws InputError for a stage that the pipeline does not have.
   */
  producerMbar(stage: number): Barrier {
    return ofStage(this.name, this.#ring.full, stage);
  }

  /**
   * The empty barrier of a stage: what a consumer signals.
   *
   * @throws InputError for a stage that the pipeline does not have.
   */
  consumerMbar(stage: number): Barrier {
    return ofStage(this.name, this.#ring.empty, stage);
  }

  /**
   * The buffers of a stage, for programs that keep its number instead of a handle.
   *
   * @throws InputError for a stage that the pipeline does not have.
   */
  buffers(stage: number): readonly Buffer[] {
    return ofStage(this.name, this.#ring.buffers, stage);
  }

  /** The stage that the role produces next (R07). */
  producerStage(): Operation<number> {
    return created(this.#producer.stage);
  }

  /** The stage that the role consumes next (R07). */
  consumerStage(): Operation<number> {
    return created(this.#consumer.stage);
  }

  /** For a consumer: blocks until the next stage is full, and returns its number (R02). */
  waitProducer(): Operation<number> {
    return created(this.#consumer.wait);
  }

  /**
   * As {@link waitProducer} without a result, for the end of a scope: the operations after it wait
   * (P02).
   */
  postWaitProducer(): void {
    this.#consumer.postWait();
  }

  /** For a producer: blocks until the next stage is empty, and returns its number (R02). */
  waitConsumer(): Operation<number> {
    return created(this.#producer.wait);
  }

  /**
   * For a consumer: tests once whether the next stage is full; may be `false` although it is
   * (M08).
   */
  tryWaitProducer(): Operation<boolean> {
    return created(this.#consumer.tryWait);
  }

  /**
   * For a producer: tests once whether the next stage is empty; may be `false` although it is
   * (M08).
   */
  tryWaitConsumer(): Operation<boolean> {
    return created(this.#producer.tryWait);
  }

  /**
   * As {@link waitProducer}, unless a test of this very stage has returned that it is full (R08).
   */
  waitProducerIfNeeded(ready: boolean): Operation<number> {
    return created(ready ? this.#consumer.skipWait : this.#consumer.wait);
  }

  /**
   * As {@link waitConsumer}, unless a test of this very stage has returned that it is empty (R08).
   */
  waitConsumerIfNeeded(ready: boolean): Operation<number> {
    return created(ready ? this.#producer.skipWait : this.#producer.wait);
  }

  /** Advances the producer's counter without a signal (R03). */
  producerStep(options: StepOptions = {}): void {
    requireOptions('producerStep()', STEP, options);
    this.#producer.step(options.lanes);
  }

  /** Advances the consumer's counter without a signal (R03). */
  consumerStep(options: StepOptions = {}): void {
    requireOptions('consumerStep()', STEP, options);
    this.#consumer.step(options.lanes);
  }

  /**
   * Blocks until the next stage is empty; then every thread signals it full, and the counter
   * advances.
   */
  producerSignalAndStep(): Operation<void> {
    return created(this.#producer.signalAndStep);
  }

  /**
   * Blocks until the next stage is full; then every thread signals it empty, and the counter
   * advances.
   */
  consumerSignalAndStep(): Operation<void> {
    return created(this.#consumer.signalAndStep);
  }

  /**
   * Blocks until the next stage is empty; the stage is released when its block ends: `using slot =
   * yield* …`.
   *
   * @returnsOwned
   */
  produce(): Operation<ProduceContext> {
    return created((this.#produce ??= this.#producer.acquire(ProduceContext, 'produce()')));
  }

  /**
   * Blocks until the next stage is full; the stage is signaled empty and released when its block
   * ends.
   *
   * @returnsOwned
   */
  consume(): Operation<ConsumeContext> {
    return created((this.#consume ??= this.#consumer.acquire(ConsumeContext, 'consume()')));
  }

  /**
   * Blocks until the next stage is full; the body signals it empty, and the end of the block only
   * advances the counter.
   *
   * @returnsOwned
   */
  consumeExplicit(): Operation<ExplicitConsumeContext> {
    return created(
      (this.#consumeExplicit ??= this.#consumer.acquire(
        ExplicitConsumeContext,
        'consumeExplicit()',
      )),
    );
  }

  /**
   * Blocks until the next stage is empty; the handle must be released by exactly one call.
   *
   * @returnsOwned
   */
  acquireProducer(): Operation<ProducerStage> {
    return created(
      (this.#acquireProducer ??= this.#producer.acquire(ProducerStage, 'acquireProducer()')),
    );
  }

  /**
   * Blocks until the next stage is full; the handle must be released by exactly one call.
   *
   * @returnsOwned
   */
  acquireConsumer(): Operation<ConsumerStage> {
    return created(
      (this.#acquireConsumer ??= this.#consumer.acquire(ConsumerStage, 'acquireConsumer()')),
    );
  }

  /**
   * Tests once whether the next stage of all consumers together is full, and takes it in the same
   * step: `null` if it is not full yet (R05). The consumers share one counter, which advances when
   * a stage is claimed, so the pipeline needs `advance: 'acquire'`; a release only signals.
   *
   * @throws InputError for a pipeline whose counters advance at the release.
   * @returnsOwned
   */
  tryClaim(): Operation<ConsumerStage | null> {
    if (this.#ring.advance === 'acquire')
      return created((this.#tryClaim ??= this.#consumer.claim(ConsumerStage)));
    throw new InputError(
      `tryClaim() advances the counter: pipeline ${this.name} needs advance: 'acquire'`,
      currentPosition(),
    );
  }

  /** Waits once for every stage, so that each stage that was ever filled has been emptied (R04). */
  *drain(): Generator<Op, void, number> {
    for (let stage = 0; stage < this.stages; stage++) {
      yield* this.#producer.drainWait;
      this.#producer.step();
    }
  }

  /**
   * A copy, as Mojo's trivially copyable pipeline creates one: the same barriers and buffers, with
   * counters of its own that start at the first stage. It is declared in the kernel's callback. A
   * role that works through two copies on one side has forked its counter: `forked-pipeline`
   * (R09).
   */
  copy(name?: string): ProducerConsumerPipeline {
    this.#copies++;
    const label = name ?? `${this.name}.copy${this.#copies === 1 ? '' : this.#copies}`;
    return new ProducerConsumerPipeline(forkRing(this.#ring, label, revive));
  }
}

closeMembers(ProducerConsumerPipeline.prototype, 'a pipeline');
trackGenerators(ProducerConsumerPipeline);

function ofStage<T>(name: string, all: readonly T[], stage: number): T {
  const found = all[stage];
  if (found !== undefined) return found;
  const last = all.length - 1;
  throw new InputError(`pipeline ${name} has stages 0 to ${last}, not ${stage}`, currentPosition());
}

/** Only linear handles travel through a loop's state. */
function revive(
  ring: RingDeclaration,
  side: Side,
  stage: number,
  id: number,
): ProducerStage | ConsumerStage {
  const Handle = side === Side.produce ? ProducerStage : ConsumerStage;
  return new Handle(ring, side, stage, id);
}

/**
 * Declares a pipeline (R01).
 *
 * @throws InputError for a number of stages below 1, an unknown option, or outside a kernel's
 * callback.
 *
 * @example
 * const ab = pipeline('ab', { stages: 3, bytes: 32_768, advance: 'acquire' });
 * return [
 *   role('load', function* () {
 *     using slot = yield* ab.produce();
 *     tma.load(slot);
 *   }),
 *   role('mma', function* () {
 *     using tile = yield* ab.consume();
 *     mma.issue(tile);
 *     yield* mma.waitGroup(0);
 *   }),
 * ];
 */
export function pipeline(name: string, options: PipelineOptions): ProducerConsumerPipeline {
  return new ProducerConsumerPipeline(declareRing(name, options, revive));
}
