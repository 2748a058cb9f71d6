// The N-stage pipeline: producers wait for empty, consumers for full, each with its own counter.
import { currentPosition, InputError } from '../base/index.ts';
import { makeOp, OpKind, Side, type Op } from '../op/index.ts';
import { currentRole, operation, Operation, post, type Barrier } from '../program/index.ts';
import { declareRing, type PipelineOptions, type Ring } from './ring.ts';
import {
  ConsumerStage,
  ExplicitConsumerStage,
  ProducerStage,
  ScopedConsumerStage,
  ScopedProducerStage,
  type AnyStage,
} from './stage.ts';

type StageClass<H> = new (ring: Ring, side: Side, stage: number, id: number) => H;

/**
 * A ring of stages between producers and consumers, as Modular's `ProducerConsumerPipeline`: a
 * full and an empty barrier per stage, and a counter per role and side that names the next stage.
 * Acquiring waits and hands the stage out; releasing gives it on.
 *
 * Semantics: docs/semantics.md R01–R05; `advance: 'release'` is mojo, `'acquire'` is CuTe DSL.
 */
export class ProducerConsumerPipeline {
  readonly name: string;
  readonly stages: number;
  readonly #ring: Ring;
  readonly #produce: Operation<ScopedProducerStage>;
  readonly #consume: Operation<ScopedConsumerStage>;
  readonly #consumeExplicit: Operation<ExplicitConsumerStage>;
  readonly #acquireProducer: Operation<ProducerStage>;
  readonly #acquireConsumer: Operation<ConsumerStage>;
  readonly #tryClaim: Operation<ConsumerStage | null>;
  readonly #waitConsumer: Operation<void>;

  constructor(name: string, options: PipelineOptions) {
    const ring = declareRing(name, options, (owner, side, stage, id) =>
      side === Side.produce
        ? new ProducerStage(owner, side, stage, id)
        : new ConsumerStage(owner, side, stage, id),
    );
    this.name = name;
    this.stages = ring.stages;
    this.#ring = ring;
    this.#produce = this.#acquire(Side.produce, ScopedProducerStage);
    this.#consume = this.#acquire(Side.consume, ScopedConsumerStage);
    this.#consumeExplicit = this.#acquire(Side.consume, ExplicitConsumerStage);
    this.#acquireProducer = this.#acquire(Side.produce, ProducerStage);
    this.#acquireConsumer = this.#acquire(Side.consume, ConsumerStage);
    this.#tryClaim = new Operation(claimStage(ring), (stage) => {
      return stage < 0 ? null : hand(ring, Side.consume, stage, ConsumerStage);
    });
    this.#waitConsumer = operation(waitStage(ring, Side.produce));
  }

  /** The full barrier of a stage: what a producer signals. */
  producerMbar(stage: number): Barrier {
    return barrierOf(this.name, this.#ring.full, stage);
  }

  /** The empty barrier of a stage: what a consumer signals. */
  consumerMbar(stage: number): Barrier {
    return barrierOf(this.name, this.#ring.empty, stage);
  }

  /** Waits until the next stage is empty; left as the block ends: `using slot = yield* …`. */
  produce(): Operation<ScopedProducerStage> {
    return this.#produce;
  }

  /** Waits until the next stage is full; signalled empty as the block ends. */
  consume(): Operation<ScopedConsumerStage> {
    return this.#consume;
  }

  /** Waits until the next stage is full; the body signals, the block's end only moves on. */
  consumeExplicit(): Operation<ExplicitConsumerStage> {
    return this.#consumeExplicit;
  }

  /** Waits until the next stage is empty; the handle must be released by one call. */
  acquireProducer(): Operation<ProducerStage> {
    return this.#acquireProducer;
  }

  /** Waits until the next stage is full; the handle must be released by one call. */
  acquireConsumer(): Operation<ConsumerStage> {
    return this.#acquireConsumer;
  }

  /**
   * Asks once for the next full stage on behalf of all consumers, and takes it in the same step:
   * `null` when it is not full yet (R05). The consumers share one counter, which moves as a stage
   * is claimed, so the pipeline needs `advance: 'acquire'`; a release only signals.
   *
   * @throws InputError for a pipeline whose counters move at release.
   */
  tryClaim(): Operation<ConsumerStage | null> {
    if (this.#ring.advance !== 'acquire') {
      throw new InputError(
        `tryClaim moves the counter as it claims: pipeline ${this.name} needs advance: 'acquire'`,
        currentPosition(),
      );
    }
    return this.#tryClaim;
  }

  /** Waits once for every stage, so that each stage ever filled has been emptied (R04). */
  *drain(): Generator<Op, void, number> {
    const wait = this.#waitConsumer;
    for (let stage = 0; stage < this.stages; stage++) {
      yield* wait;
      step(this.#ring, Side.produce);
    }
  }

  #acquire<H extends AnyStage>(side: Side, Handle: StageClass<H>): Operation<H> {
    const ring = this.#ring;
    return new Operation(waitStage(ring, side), (stage) => {
      const handle = hand(ring, side, stage, Handle);
      if (ring.advance === 'acquire') step(ring, side);
      return handle;
    });
  }
}

function barrierOf(name: string, barriers: readonly Barrier[], stage: number): Barrier {
  const found = barriers[stage];
  if (found !== undefined) return found;
  const last = barriers.length - 1;
  throw new InputError(`pipeline ${name} has stages 0 to ${last}, not ${stage}`, currentPosition());
}

/** The handle of a stage that the running role owns from now on. */
function hand<H extends AnyStage>(ring: Ring, side: Side, stage: number, Handle: StageClass<H>): H {
  const context = currentRole('an acquire');
  const handle = new Handle(ring, side, stage, context.ownership.nextId++);
  handle.acquiredAt = context.position();
  post(makeOp(OpKind.own, { detail: handle }), handle.acquiredAt);
  return handle;
}

function waitStage(ring: Ring, side: Side): Op {
  return makeOp(OpKind.waitStage, { target: ring.id, value: side });
}

/** The count of an operation on the ring's shared register, instead of the role's own (R05). */
const SHARED = 1;

function claimStage(ring: Ring): Op {
  return makeOp(OpKind.tryClaim, { target: ring.id, value: Side.consume, count: SHARED });
}

function step(ring: Ring, side: Side): void {
  post(makeOp(OpKind.step, { target: ring.id, value: side }));
}

/**
 * Declares a pipeline.
 *
 * @throws InputError for a number of stages below 1, or outside a kernel.
 * @example
 * const ab = pipeline('ab', { stages: 3, bytes: 32_768, advance: 'acquire' });
 */
export function pipeline(name: string, options: PipelineOptions): ProducerConsumerPipeline {
  return new ProducerConsumerPipeline(name, options);
}
