// Barriers that are no pipeline: those of warps, and who frees an accumulator.
import type { Op } from '@poundlock/core/internal/op';
import { pipeline, type ProducerConsumerPipeline } from '@poundlock/core/internal/pipeline';
import { arrive, arriveNamed, init, syncNamed } from '@poundlock/core/internal/program';
import type { CtaGroup, Operation } from '@poundlock/core/internal/program';
import { leaderOfRole } from './cluster.ts';

/** A named barrier of `threads` threads of several warps. */
export class WarpGroupBarrier {
  readonly threads: number;
  readonly id: number;

  constructor(threads: number, id: number) {
    this.threads = threads;
    this.id = id;
  }

  /** Every thread of the role arrives, and goes on. */
  arrive(): void {
    arriveNamed(this.id, this.threads);
  }

  /** Every thread of the role arrives, and waits for all: the same instruction as {@link sync}. */
  wait(): Operation<void> {
    return syncNamed(this.id, this.threads);
  }

  /** Every thread of the role arrives, and waits for all. */
  sync(): Operation<void> {
    return syncNamed(this.id, this.threads);
  }
}

/** Who frees an accumulator: every thread of the epilogue, at the CTA that multiplies (T9). */
export const AccumBarrier = {
  /** To be called when the last fragment is in registers. */
  arrive(pipeline: ProducerConsumerPipeline, stage: number, ctaGroup: CtaGroup = 1): void {
    arrive(pipeline.consumerMbar(stage), { everyLane: true, cta: leaderOfRole(ctaGroup) });
  },
};

/**
 * Lets the epilogue's loads of a tile start when the main loads of that tile are on their way: one
 * barrier with one arrival for each tile, and nothing that holds the arriving side back.
 */
export class LoadOrderBarrier {
  readonly #ring: ProducerConsumerPipeline;

  /** Declares it; {@link initBarrier} makes it ready. */
  constructor(name: string) {
    // The empty barrier of this ring is never used: that is what makes it one-way.
    this.#ring = pipeline(name, { stages: 1, producers: 0, consumers: 0 });
  }

  initBarrier(): void {
    init(this.#ring.producerMbar(0), 1);
  }

  arrive(): void {
    arrive(this.#ring.producerMbar(0));
  }

  /** Waits for the arrival of the phase that the role stands at. */
  wait(): Operation<number> {
    return this.#ring.waitProducer();
  }

  /** On to the next phase: each role for itself. */
  step(): void {
    this.#ring.consumerStep();
  }

  arriveAndStep(): void {
    this.arrive();
    this.step();
  }

  *waitAndStep(): Generator<Op, void, number> {
    yield* this.wait();
    this.step();
  }
}
