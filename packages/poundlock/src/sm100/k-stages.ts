// Accumulators that are handed over in every k step: blockwise FP8 scales each partial product.
import { type ProducerConsumerPipeline, leave } from '@poundlock/core/internal/pipeline';
import { makeOp, OpKind, type Side } from '@poundlock/core/internal/op';
import { post } from '@poundlock/core/internal/program';
import { AccumStage, freeAccumulator, OutputProducer, type OutputStage } from './output-stages.ts';

/** An accumulator of one k step; its block commits and steps. */
export class MmaKStage extends OutputProducer {}

abstract class ReadingK extends AccumStage implements Disposable {
  declare readonly side: typeof Side.consume;
  override get linear(): false {
    return false;
  }

  abstract [Symbol.dispose](): void;

  override drop(): void {
    this[Symbol.dispose]();
  }
}

/** A complete accumulator of one k step, which every thread of the epilogue frees at its end. */
export class PerKConsumerStage extends ReadingK {
  [Symbol.dispose](): void {
    freeAccumulator(this);
    leave(this, false);
  }
}

/** What the epilogue reads in one k step: an accumulator, and the input stage with its scales. */
export class EpilogueKStage {
  readonly outputStage: OutputStage;
  readonly inputStageIndex: number;
  readonly #input: ProducerConsumerPipeline;

  constructor(outputStage: OutputStage, inputStageIndex: number, input: ProducerConsumerPipeline) {
    this.outputStage = outputStage;
    this.inputStageIndex = inputStageIndex;
    this.#input = input;
  }

  /**
   * Frees the input stage in this CTA, by so many threads: those below the cluster's size in each
   * warp of the epilogue. To be called when the scales are in registers (T11).
   */
  arriveInput(threads: number): void {
    const { id: barrier } = this.#input.consumerMbar(this.inputStageIndex);
    post(makeOp(OpKind.arrive, { barrier, ctas: [], arrivals: 1, lanes: threads, bytes: 0 }));
  }
}

/**
 * The accumulator of one k step together with the input stage that it came from. It waits for the
 * accumulator alone: that the scales are there follows, since the MMA has waited for them. Its end
 * leaves the input stage without a signal, frees the accumulator, and leaves it.
 */
export class EpilogueKContext extends ReadingK {
  #input: ProducerConsumerPipeline | null = null;
  #inputStage = -1;

  /** Binds the input stage that the role stands at. */
  over(input: ProducerConsumerPipeline, inputStage: number): this {
    this.#input = input;
    this.#inputStage = inputStage;
    return this;
  }

  /** The stages of both pipelines. */
  get kStage(): EpilogueKStage {
    return new EpilogueKStage(this.outputStage, this.#inputStage, this.#input!);
  }

  [Symbol.dispose](): void {
    this.#input!.consumerStep();
    freeAccumulator(this);
    leave(this, false);
  }
}
