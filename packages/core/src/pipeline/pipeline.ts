// The N-stage pipeline: producers wait for empty, consumers for full, each with its own counter.
import { currentPosition, InputError } from '../base/index.ts';
import { Side, type Op } from '../op/index.ts';
import { init, requireCount, type Barrier, type Buffer, type Operation } from '../program/index.ts';
import { Endpoint } from './endpoint.ts';
import { ConsumerStage, ProducerStage } from './linear.ts';
import { declareRing, forkRing, type PipelineOptions, type Ring } from './ring.ts';
import { ConsumeContext, ExplicitConsumeContext, ProduceContext } from './scoped.ts';

/** Which threads of the role make a step: all of it unless given, as Mojo and CUTLASS need. */
export interface StepOptions {
  readonly lanes?: number;
}

/**
 * A ring of stages between producers and consumers, as Modular's `ProducerConsumerPipeline`: a
 * full and an empty barrier per stage, and a counter per role and side that names the next stage.
 * Acquiring waits and hands the stage out; releasing gives it on. Waits are named after whom they
 * wait for: the producer calls `waitConsumer`.
 *
 * Semantics: docs/reference/semantics.md R01–R10; `advance: 'release'` is mojo, `'acquire'` is CuTe
 * DSL.
 */
export class ProducerConsumerPipeline {
  readonly name: string;
  readonly stages: number;
  readonly #ring: Ring;
  readonly #producer: Endpoint;
  readonly #consumer: Endpoint;
  readonly #produce: Operation<ProduceContext>;
  readonly #consume: Operation<ConsumeContext>;
  readonly #consumeExplicit: Operation<ExplicitConsumeContext>;
  readonly #acquireProducer: Operation<ProducerStage>;
  readonly #acquireConsumer: Operation<ConsumerStage>;
  readonly #tryClaim: Operation<ConsumerStage | null>;
  #copies = 0;

  /** Made by {@link pipeline} and {@link copy}. */
  constructor(ring: Ring) {
    this.name = ring.name;
    this.stages = ring.stages;
    this.#ring = ring;
    this.#producer = new Endpoint(ring, Side.produce);
    this.#consumer = new Endpoint(ring, Side.consume);
    this.#produce = this.#producer.acquire(ProduceContext);
    this.#consume = this.#consumer.acquire(ConsumeContext);
    this.#consumeExplicit = this.#consumer.acquire(ExplicitConsumeContext);
    this.#acquireProducer = this.#producer.acquire(ProducerStage);
    this.#acquireConsumer = this.#consumer.acquire(ConsumerStage);
    this.#tryClaim = this.#consumer.claim(ConsumerStage);
  }

  /**
   * Initializes every barrier, from inside one role, before other roles use them: the other
   * roles need a sync after it. For a pipeline that was declared with `producers: 0, consumers: 0`;
   * any other is ready from the start, and initializing it again is a finding (M01).
   */
  initMbars(producers: number, consumers: number): void {
    requireCount(`the producers of pipeline ${this.name}`, producers, 1);
    requireCount(`the consumers of pipeline ${this.name}`, consumers, 1);
    for (const full of this.#ring.full) init(full, producers);
    for (const empty of this.#ring.empty) init(empty, consumers);
  }

  /** The full barrier of a stage: what a producer signals. */
  producerMbar(stage: number): Barrier {
    return ofStage(this.name, this.#ring.full, stage);
  }

  /** The empty barrier of a stage: what a consumer signals. */
  consumerMbar(stage: number): Barrier {
    return ofStage(this.name, this.#ring.empty, stage);
  }

  /** The buffers of a stage, for programs that keep its number instead of a handle. */
  buffers(stage: number): readonly Buffer[] {
    return ofStage(this.name, this.#ring.buffers, stage);
  }

  /** The stage that the role produces next. */
  producerStage(): Operation<number> {
    return this.#producer.stage;
  }

  /** The stage that the role consumes next. */
  consumerStage(): Operation<number> {
    return this.#consumer.stage;
  }

  /** For a consumer: waits until the next stage is full, and answers which one that is. */
  waitProducer(): Operation<number> {
    return this.#consumer.wait;
  }

  /** {@link waitProducer} without an answer, for the end of a scope: what is posted after waits. */
  postWaitProducer(): void {
    this.#consumer.postWait();
  }

  /** For a producer: waits until the next stage is empty, and answers which one that is. */
  waitConsumer(): Operation<number> {
    return this.#producer.wait;
  }

  /** For a consumer: asks once whether the next stage is full; may say no although it is (M08). */
  tryWaitProducer(): Operation<boolean> {
    return this.#consumer.tryWait;
  }

  /** For a producer: asks once whether the next stage is empty; may say no although it is (M08). */
  tryWaitConsumer(): Operation<boolean> {
    return this.#producer.tryWait;
  }

  /** `waitProducer`, unless a try of this very stage has said that it is full (R08). */
  waitProducerIfNeeded(ready: boolean): Operation<number> {
    return ready ? this.#consumer.skipWait : this.#consumer.wait;
  }

  /** `waitConsumer`, unless a try of this very stage has said that it is empty (R08). */
  waitConsumerIfNeeded(ready: boolean): Operation<number> {
    return ready ? this.#producer.skipWait : this.#producer.wait;
  }

  /** Moves the producer's counter on, and signals nothing. */
  producerStep(options: StepOptions = {}): void {
    this.#producer.step(options.lanes);
  }

  /** Moves the consumer's counter on, and signals nothing. */
  consumerStep(options: StepOptions = {}): void {
    this.#consumer.step(options.lanes);
  }

  /** Waits until the next stage is empty; then every thread signals it full, and steps. */
  producerSignalAndStep(): Operation<void> {
    return this.#producer.signalAndStep;
  }

  /** Waits until the next stage is full; then every thread signals it empty, and steps. */
  consumerSignalAndStep(): Operation<void> {
    return this.#consumer.signalAndStep;
  }

  /**
   * Waits until the next stage is empty; left as the block ends: `using slot = yield* …`.
   *
   * @returnsOwned
   */
  produce(): Operation<ProduceContext> {
    return this.#produce;
  }

  /**
   * Waits until the next stage is full; signaled empty as the block ends.
   *
   * @returnsOwned
   */
  consume(): Operation<ConsumeContext> {
    return this.#consume;
  }

  /**
   * Waits until the next stage is full; the body signals, the block's end only moves on.
   *
   * @returnsOwned
   */
  consumeExplicit(): Operation<ExplicitConsumeContext> {
    return this.#consumeExplicit;
  }

  /**
   * Waits until the next stage is empty; the handle must be released by one call.
   *
   * @returnsOwned
   */
  acquireProducer(): Operation<ProducerStage> {
    return this.#acquireProducer;
  }

  /**
   * Waits until the next stage is full; the handle must be released by one call.
   *
   * @returnsOwned
   */
  acquireConsumer(): Operation<ConsumerStage> {
    return this.#acquireConsumer;
  }

  /**
   * Asks once for the next full stage on behalf of all consumers, and takes it in the same step:
   * `null` when it is not full yet (R05). The consumers share one counter, which moves as a stage
   * is claimed, so the pipeline needs `advance: 'acquire'`; a release only signals.
   *
   * @throws InputError for a pipeline whose counters move at release.
   * @returnsOwned
   */
  tryClaim(): Operation<ConsumerStage | null> {
    if (this.#ring.advance === 'acquire') return this.#tryClaim;
    throw new InputError(
      `tryClaim() advances the counter: pipeline ${this.name} needs advance: 'acquire'`,
      currentPosition(),
    );
  }

  /** Waits once for every stage, so that each stage ever filled has been emptied (R04). */
  *drain(): Generator<Op, void, number> {
    for (let stage = 0; stage < this.stages; stage++) {
      yield* this.#producer.drainWait;
      this.#producer.step();
    }
  }

  /**
   * A copy, as Mojo's trivially copyable pipeline makes one: the same barriers and buffers, with
   * counters of its own that start at the first stage. Made in the kernel's callback. A role that
   * works through two copies on one side has forked its counter: `forked-pipeline` (R09).
   */
  copy(name?: string): ProducerConsumerPipeline {
    this.#copies++;
    const label = name ?? `${this.name}.copy${this.#copies === 1 ? '' : this.#copies}`;
    return new ProducerConsumerPipeline(forkRing(this.#ring, label, revive));
  }
}

function ofStage<T>(name: string, all: readonly T[], stage: number): T {
  const found = all[stage];
  if (found !== undefined) return found;
  const last = all.length - 1;
  throw new InputError(`pipeline ${name} has stages 0 to ${last}, not ${stage}`, currentPosition());
}

/** Only linear handles travel through a loop's state. */
function revive(ring: Ring, side: Side, stage: number, id: number): ProducerStage | ConsumerStage {
  const Handle = side === Side.produce ? ProducerStage : ConsumerStage;
  return new Handle(ring, side, stage, id);
}

/**
 * Declares a pipeline.
 *
 * @throws InputError for a number of stages below 1, or outside a kernel.
 * @example
 * const ab = pipeline('ab', { stages: 3, bytes: 32_768, advance: 'acquire' });
 */
export function pipeline(name: string, options: PipelineOptions): ProducerConsumerPipeline {
  return new ProducerConsumerPipeline(declareRing(name, options, revive));
}
