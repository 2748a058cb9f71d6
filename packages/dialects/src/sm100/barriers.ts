// Barriers outside of pipelines: named barriers, accumulator releases, load order.
import { arrive, arriveNamed, init, pipeline, syncNamed } from '@poundlock/core';
import type { CtaGroup, Op, Operation, ProducerConsumerPipeline } from '@poundlock/core';
import { trackGenerators, closeMembers } from '@poundlock/core/dialect';
import { leaderOfRole } from './cluster.ts';

/**
 * A named barrier of `threads` threads of several warps.
 *
 * @example
 * const sync = new WarpGroupBarrier(160, 2);
 * return [
 *   warps.mma(function* () {
 *     sync.arrive();
 *   }),
 *   warps.epilogue(function* () {
 *     yield* sync.wait();
 *   }),
 * ];
 */
export class WarpGroupBarrier {
  /** The threads that complete it. */
  readonly threads: number;
  /** The number of the named barrier. */
  readonly id: number;

  /** Creates a barrier of `threads` threads with the hardware's number `id`. */
  constructor(threads: number, id: number) {
    this.threads = threads;
    this.id = id;
  }

  /** Every thread of the role arrives, without blocking. */
  arrive(): void {
    arriveNamed(this.id, this.threads);
  }

  /**
   * Every thread of the role arrives and blocks until all have arrived: the same instruction as
   * {@link sync}.
   */
  wait(): Operation<void> {
    return syncNamed(this.id, this.threads);
  }

  /** Every thread of the role arrives and blocks until all have arrived. */
  sync(): Operation<void> {
    return syncNamed(this.id, this.threads);
  }
}
closeMembers(WarpGroupBarrier.prototype);

/** Frees an accumulator: every thread of the epilogue arrives, at the CTA that multiplies (T9). */
export const AccumBarrier = {
  /** To be called when the last fragment is in registers. */
  arrive(pipeline: ProducerConsumerPipeline, stage: number, ctaGroup: CtaGroup = 1): void {
    arrive(pipeline.consumerMbar(stage), { everyLane: true, cta: leaderOfRole(ctaGroup) });
  },
};

/**
 * Lets the epilogue's loads of a tile start after the main loads of that tile were issued: one
 * barrier with one arrival for each tile. Nothing blocks the arriving side.
 *
 * @example
 * const order = new LoadOrderBarrier('load_order');
 * const both = new WarpRoles(ctx, () => order.initBarrier());
 * return [
 *   both.mainLoad(function* () {
 *     order.arriveAndStep();
 *   }),
 *   both.epilogueLoad(function* () {
 *     yield* order.waitAndStep();
 *   }),
 *   both.epilogue(function* () {}),
 * ];
 */
export class LoadOrderBarrier {
  readonly #ring: ProducerConsumerPipeline;

  /** Declares it; {@link initBarrier} initializes it. */
  constructor(name: string) {
    // The empty barrier of this ring is never used: that is what makes it one-way.
    this.#ring = pipeline(name, { stages: 1, producers: 0, consumers: 0 });
  }

  /** Initializes it, by one thread. */
  initBarrier(): void {
    init(this.#ring.producerMbar(0), 1);
  }

  /** One arrival of the current phase. */
  arrive(): void {
    arrive(this.#ring.producerMbar(0));
  }

  /** Blocks until the arrival of the role's current phase. */
  wait(): Operation<number> {
    return this.#ring.waitProducer();
  }

  /** Advances the role to the next phase. */
  step(): void {
    this.#ring.consumerStep();
  }

  /** {@link arrive}, then {@link step}. */
  arriveAndStep(): void {
    this.arrive();
    this.step();
  }

  /** {@link wait}, then {@link step}. */
  *waitAndStep(): Generator<Op, void, number> {
    yield* this.wait();
    this.step();
  }
}
trackGenerators(LoadOrderBarrier);
