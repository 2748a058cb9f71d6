// The output pipeline: the MMA warp fills accumulators in tensor memory, the epilogue empties them.
import { ProducerConsumerPipeline, Side, UNITS, commit } from '@poundlock/core';
import type { Op, Operation, Role } from '@poundlock/core';
import {
  Endpoint,
  callingRole,
  created,
  declareRing,
  trackGenerators,
  closeMembers,
  requireOptions,
} from '@poundlock/core/dialect';
import { CONFIG, type OutputPipelineConfig } from './config.ts';
import { EpilogueKContext, MmaKStage, PerKConsumerStage } from './k-stages.ts';
import { EpilogueStage, MmaStage, OutputConsumer, OutputProducer } from './output-stages.ts';
import type { AccumRing, AccumWarp } from './output-stages.ts';
import type { TmemAllocation, TmemStage } from './tmem.ts';

/** A warp that has not created its pipeline. */
const NO_WARP: AccumWarp = { pipeline: null, tmem: null, completes: [] };

/**
 * The barriers of the accumulators, from which the MMA and the epilogue warps create their
 * pipelines.
 *
 * @example
 * const accum = new AccumBarriers('barriers', { numStages: 1, stageStrideCols: 256, ctaGroup: 1 });
 * const all = new WarpRoles(ctx, () => accum.initBarriers(1, 128));
 * return [
 *   all.mma(function* () {
 *     commit(UNITS.mma, accum.pipeline.producerMbar(0));
 *   }),
 *   all.epilogue(function* () {
 *     const stage = yield* accum.pipeline.waitProducer();
 *     AccumBarrier.arrive(accum.pipeline, stage);
 *     accum.pipeline.consumerStep();
 *   }),
 * ];
 */
export class AccumBarriers {
  /** Number and size of the accumulators. */
  readonly opc: OutputPipelineConfig;
  /** The pipeline below. */
  readonly pipeline: ProducerConsumerPipeline;
  /**
   * The ring.
   *
   * @internal
   */
  readonly ring: AccumRing;

  /** Declares them; {@link initBarriers} initializes them. */
  constructor(name: string, opc: OutputPipelineConfig) {
    requireOptions('AccumBarriers', CONFIG, opc);
    this.opc = opc;
    const shape = { stages: opc.numStages, bytes: {}, producers: 0, consumers: 0 };
    const ring: AccumRing = Object.assign(
      declareRing(name, shape, (_, side, stage, id) => {
        const Handle = side === Side.produce ? MmaStage : EpilogueStage;
        return new Handle(ring, side, stage, id);
      }),
      { opc, warp: NO_WARP },
    );
    // What a role has found out is its own, also where all roles come from one call (P01).
    const warps = new WeakMap<Role, AccumWarp>();
    Object.defineProperty(ring, 'warp', {
      get: () => {
        const role = callingRole('an accumulator');
        let warp = warps.get(role);
        if (warp === undefined) warps.set(role, (warp = { ...NO_WARP }));
        return warp;
      },
    });
    this.ring = ring;
    this.pipeline = new ProducerConsumerPipeline(ring);
  }

  /** Initializes every stage: one commit fills it, every thread of the epilogue empties it (T1). */
  initBarriers(producers: number, epilogueThreads: number): void {
    this.pipeline.initMbars(producers, epilogueThreads * this.opc.ctaGroup);
  }
}
closeMembers(AccumBarriers.prototype);

/**
 * A ring of accumulators between the MMA and the epilogue warps: `OutputTilePipeline` of the
 * structured kernels. Each warp creates its own from the shared barriers. The end of a producer's
 * stage commits and advances; that of a consumer's only advances, since the writer arrives (T9).
 *
 * @example
 * return [
 *   warps.mma(function* () {
 *     const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 *     using _scope = context.enter();
 *     const output: OutputTilePipeline = context.outputPipeline;
 *     output.releaseFromMma(yield* output.acquireForMma());
 *   }),
 *   epilogue,
 * ];
 */
export class OutputTilePipeline {
  /** Number and size of the accumulators. */
  readonly opc: OutputPipelineConfig;
  /** The tensor memory of the accumulators. */
  readonly tmem: TmemAllocation;
  /** The CTAs in which a commit arrives. */
  readonly mmaCompleteMask: readonly number[];
  readonly #pipeline: ProducerConsumerPipeline;
  readonly #mma: Endpoint;
  readonly #epilogue: Endpoint;
  // Created when first used: a kernel uses few of them, and is called for each role again.
  #producer: Operation<OutputProducer> | undefined;
  #consumer: Operation<OutputConsumer> | undefined;
  #mmaLinear: Operation<MmaStage> | undefined;
  #epilogueLinear: Operation<EpilogueStage> | undefined;
  #epilogueK: Operation<EpilogueKContext> | undefined;
  readonly #perK: OutputKPipeline;

  /** Creates the pipeline of one warp. */
  constructor(accum: AccumBarriers, tmem: TmemAllocation, mmaCompleteMask: readonly number[]) {
    this.opc = accum.opc;
    this.tmem = tmem;
    this.mmaCompleteMask = mmaCompleteMask;
    const { ring, pipeline } = accum;
    this.#pipeline = pipeline;
    Object.assign(ring.warp, { pipeline, tmem, completes: mmaCompleteMask });
    this.#mma = new Endpoint(ring, Side.produce);
    this.#epilogue = new Endpoint(ring, Side.consume);
    this.#perK = new OutputKPipeline(this.#mma, this.#epilogue);
  }

  /** Initializes the barriers; see {@link AccumBarriers.initBarriers}. */
  static initBarriers(accum: AccumBarriers, producers: number, epilogueThreads: number): void {
    accum.initBarriers(producers, epilogueThreads);
  }

  /** Blocks until the epilogue has freed the next accumulator, and returns its number. */
  acquireForMma(): Operation<number> {
    return this.#pipeline.waitConsumer();
  }

  /** One elected thread commits to all CTAs of the mask; then the warp advances. */
  releaseFromMma(stage: number): void {
    commit(UNITS.mma, this.#pipeline.producerMbar(stage), { ctas: this.mmaCompleteMask });
    this.#pipeline.producerStep();
  }

  /** Blocks until the MMAs of the next accumulator have completed, and returns its number. */
  acquireForEpilogue(): Operation<number> {
    return this.#pipeline.waitProducer();
  }

  /** Advances without a signal: the writer has arrived, or the accumulator is never free again. */
  releaseFromEpilogue(): void {
    this.#pipeline.consumerStep();
  }

  /** The accumulator with number `index`. */
  stage(index: number): TmemStage {
    return this.tmem.stage(index);
  }

  /** Blocks until the next accumulator is free; the end of the block commits and advances. */
  producer(): Operation<OutputProducer> {
    return created((this.#producer ??= this.#mma.acquire(OutputProducer, 'producer()')));
  }

  /** Blocks until the next accumulator is complete; the end of the block only advances. */
  consumer(): Operation<OutputConsumer> {
    return created((this.#consumer ??= this.#epilogue.acquire(OutputConsumer, 'consumer()')));
  }

  /** As {@link producer}, but the handle must be released by exactly one call. */
  acquireMmaLinear(): Operation<MmaStage> {
    return created((this.#mmaLinear ??= this.#mma.acquire(MmaStage, 'acquireMmaLinear()')));
  }

  /**
   * As {@link consumer}, but the handle must be released by exactly one call, which only advances,
   * too.
   */
  acquireEpilogueLinear(): Operation<EpilogueStage> {
    return created(
      (this.#epilogueLinear ??= this.#epilogue.acquire(EpilogueStage, 'acquireEpilogueLinear()')),
    );
  }

  /** The barriers and counters below. */
  getPipeline(): ProducerConsumerPipeline {
    return this.#pipeline;
  }

  /** The view of kernels that pass an accumulator on in every k step. */
  perK(): OutputKPipeline {
    return this.#perK;
  }

  /**
   * Blocks until the accumulator of one k step is complete, whose input stage the epilogue reads,
   * too.
   */
  *perKEpilogue(input: ProducerConsumerPipeline): Generator<Op, EpilogueKContext, number> {
    const inputStage = yield* input.consumerStage();
    const acquire = (this.#epilogueK ??= this.#epilogue.acquire(
      EpilogueKContext,
      'perKEpilogue()',
    ));
    return (yield* acquire).over(input, inputStage);
  }
}
trackGenerators(OutputTilePipeline);

/**
 * An output pipeline whose accumulators are passed on in every k step.
 *
 * @example
 * return [
 *   warps.mma(function* () {
 *     const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 *     using _scope = context.enter();
 *     const perK: OutputKPipeline = context.outputPipeline.perK();
 *     using _accumulator = yield* perK.produce();
 *   }),
 *   epilogue,
 * ];
 */
export class OutputKPipeline {
  readonly #mma: Endpoint;
  readonly #epilogue: Endpoint;
  #produce: Operation<MmaKStage> | undefined;
  #consume: Operation<PerKConsumerStage> | undefined;

  /** @internal */
  constructor(mma: Endpoint, epilogue: Endpoint) {
    this.#mma = mma;
    this.#epilogue = epilogue;
  }

  /** Blocks until the next accumulator is free; the end of the block commits and advances. */
  produce(): Operation<MmaKStage> {
    return created((this.#produce ??= this.#mma.acquire(MmaKStage, 'produce()')));
  }

  /**
   * Blocks until the next accumulator is complete; at the end of the block every thread frees it.
   */
  consume(): Operation<PerKConsumerStage> {
    return created((this.#consume ??= this.#epilogue.acquire(PerKConsumerStage, 'consume()')));
  }
}
closeMembers(OutputKPipeline.prototype);
