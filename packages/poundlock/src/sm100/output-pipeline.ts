// The output pipeline: the MMA warp fills accumulators in tensor memory, the epilogue empties them.
import { Side, UNITS, type Op } from '@poundlock/core/internal/op';
import { Endpoint, ProducerConsumerPipeline, declareRing } from '@poundlock/core/internal/pipeline';
import { commit, type Operation } from '@poundlock/core/internal/program';
import type { OutputPipelineConfig } from './config.ts';
import { EpilogueKContext, MmaKStage, PerKConsumerStage } from './k-stages.ts';
import { EpilogueStage, MmaStage, OutputConsumer, OutputProducer } from './output-stages.ts';
import type { AccumRing } from './output-stages.ts';
import type { TmemAllocation, TmemStage } from './tmem.ts';

/** The barriers of the accumulators, which the MMA and the epilogue warps make pipelines of. */
export class AccumBarriers {
  readonly opc: OutputPipelineConfig;
  readonly pipeline: ProducerConsumerPipeline;
  readonly ring: AccumRing;

  /** Declares them; {@link initBarriers} makes them ready. */
  constructor(name: string, opc: OutputPipelineConfig) {
    this.opc = opc;
    const shape = { stages: opc.numStages, bytes: {}, producers: 0, consumers: 0 };
    const ring: AccumRing = Object.assign(
      declareRing(name, shape, (_, side, stage, id) => {
        const Handle = side === Side.produce ? MmaStage : EpilogueStage;
        return new Handle(ring, side, stage, id);
      }),
      { opc, warp: { pipeline: null, tmem: null, completes: [] } },
    );
    this.ring = ring;
    this.pipeline = new ProducerConsumerPipeline(ring);
  }

  /** Initialises every stage: one commit fills it, every thread of the epilogue empties it (T1). */
  initBarriers(producers: number, epilogueThreads: number): void {
    this.pipeline.initMbars(producers, epilogueThreads * this.opc.ctaGroup);
  }
}

/**
 * A ring of accumulators between the MMA and the epilogue warps: `OutputTilePipeline` of the
 * structured kernels. Each warp makes its own from the shared barriers. The end of a producer's
 * stage commits and steps; that of a consumer's only steps, since the writer arrives (T9).
 */
export class OutputTilePipeline {
  readonly opc: OutputPipelineConfig;
  readonly tmem: TmemAllocation;
  /** The CTAs that a completed accumulator is told to. */
  readonly mmaCompleteMask: readonly number[];
  readonly #pipeline: ProducerConsumerPipeline;
  readonly #producer: Operation<OutputProducer>;
  readonly #consumer: Operation<OutputConsumer>;
  readonly #mmaLinear: Operation<MmaStage>;
  readonly #epilogueLinear: Operation<EpilogueStage>;
  readonly #epilogueK: Operation<EpilogueKContext>;
  readonly #perK: OutputKPipeline;

  constructor(accum: AccumBarriers, tmem: TmemAllocation, mmaCompleteMask: readonly number[]) {
    this.opc = accum.opc;
    this.tmem = tmem;
    this.mmaCompleteMask = mmaCompleteMask;
    const { ring, pipeline } = accum;
    this.#pipeline = pipeline;
    // The ring is this role's own (P01), so that it may know what the role has found out.
    Object.assign(ring.warp, { pipeline, tmem, completes: mmaCompleteMask });
    const mma = new Endpoint(ring, Side.produce);
    const epilogue = new Endpoint(ring, Side.consume);
    this.#producer = mma.acquire(OutputProducer);
    this.#consumer = epilogue.acquire(OutputConsumer);
    this.#mmaLinear = mma.acquire(MmaStage);
    this.#epilogueLinear = epilogue.acquire(EpilogueStage);
    this.#epilogueK = epilogue.acquire(EpilogueKContext);
    this.#perK = new OutputKPipeline(mma, epilogue);
  }

  /** Initialises the barriers of a pipeline to come; see {@link AccumBarriers.initBarriers}. */
  static initBarriers(accum: AccumBarriers, producers: number, epilogueThreads: number): void {
    accum.initBarriers(producers, epilogueThreads);
  }

  /** Waits until the epilogue has freed the next accumulator, and answers its number. */
  acquireForMma(): Operation<number> {
    return this.#pipeline.waitConsumer();
  }

  /** One elected thread commits to all CTAs of the mask; then the warp steps. */
  releaseFromMma(stage: number): void {
    commit(UNITS.mma, this.#pipeline.producerMbar(stage), { ctas: this.mmaCompleteMask });
    this.#pipeline.producerStep();
  }

  /** Waits until the MMAs of the next accumulator are done, and answers its number. */
  acquireForEpilogue(): Operation<number> {
    return this.#pipeline.waitProducer();
  }

  /** Steps, and signals nothing: the writer has arrived, or the accumulator is never free. */
  releaseFromEpilogue(): void {
    this.#pipeline.consumerStep();
  }

  /** The accumulator with number `index`. */
  stage(index: number): TmemStage {
    return this.tmem.stage(index);
  }

  /** Waits for an accumulator to fill; the end of the block commits and steps. */
  producer(): Operation<OutputProducer> {
    return this.#producer;
  }

  /** Waits for a complete accumulator; the end of the block only steps. */
  consumer(): Operation<OutputConsumer> {
    return this.#consumer;
  }

  /** As {@link producer}, released by one call. */
  acquireMmaLinear(): Operation<MmaStage> {
    return this.#mmaLinear;
  }

  /** As {@link consumer}, released by one call, which only steps, too. */
  acquireEpilogueLinear(): Operation<EpilogueStage> {
    return this.#epilogueLinear;
  }

  /** The barriers and counters below. */
  getPipeline(): ProducerConsumerPipeline {
    return this.#pipeline;
  }

  /** The view of kernels that hand an accumulator over in every k step. */
  perK(): OutputKPipeline {
    return this.#perK;
  }

  /** Waits for the accumulator of one k step, whose input stage the epilogue reads as well. */
  *perKEpilogue(input: ProducerConsumerPipeline): Generator<Op, EpilogueKContext, number> {
    const inputStage = yield* input.consumerStage();
    const acquire = this.#epilogueK;
    return (yield* acquire).over(input, inputStage);
  }
}

/** An output pipeline whose accumulators are handed over in every k step. */
export class OutputKPipeline {
  readonly #produce: Operation<MmaKStage>;
  readonly #consume: Operation<PerKConsumerStage>;

  constructor(mma: Endpoint, epilogue: Endpoint) {
    this.#produce = mma.acquire(MmaKStage);
    this.#consume = epilogue.acquire(PerKConsumerStage);
  }

  /** Waits for an accumulator to fill; the end of the block commits and steps. */
  produce(): Operation<MmaKStage> {
    return this.#produce;
  }

  /** Waits for a complete accumulator; the end of the block frees it, by every thread. */
  consume(): Operation<PerKConsumerStage> {
    return this.#consume;
  }
}
