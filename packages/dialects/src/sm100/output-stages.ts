// Accumulators of the output pipeline as handles, of the MMA side and of the epilogue side.
import { UNITS, commit } from '@poundlock/core';
import type { CtaGroup, ProducerConsumerPipeline, Side } from '@poundlock/core';
import { Stage } from '@poundlock/core/dialect';
import type { RingDeclaration } from '@poundlock/core/dialect';
import { AccumBarrier } from './barriers.ts';
import type { OutputPipelineConfig } from './config.ts';
import type { TmemAllocation, TmemStage } from './tmem.ts';

/** A ring whose stages are accumulators. */
export interface AccumRing extends RingDeclaration {
  readonly opc: OutputPipelineConfig;
  readonly warp: AccumWarp;
}

/** The accumulators of a warp that has created its pipeline. */
export interface AccumWarp {
  pipeline: ProducerConsumerPipeline | null;
  tmem: TmemAllocation | null;
  /** The CTAs that a commit signals. */
  completes: readonly number[];
}

/** What all handles of an accumulator share. */
export abstract class AccumStage extends Stage {
  /**
   * The ring of the stage.
   *
   * @internal
   */
  declare readonly owner: AccumRing;

  /** Its columns of tensor memory. */
  get tmem(): TmemStage {
    this.touch();
    return this.owner.warp.tmem!.stage(this.index);
  }

  /** Its first column. */
  tmemOffset(): number {
    return this.index * this.owner.opc.stageStrideCols;
  }

  /** What a writer needs to read it and to free it. */
  get outputStage(): OutputStage {
    const { opc, warp } = this.owner;
    return new OutputStage(warp.pipeline!, this.index, this.tmem, opc.ctaGroup);
  }

  /** Every thread of the role frees the accumulator, at the CTA that multiplies. */
  protected free(): void {
    const { opc, warp } = this.owner;
    AccumBarrier.arrive(warp.pipeline!, this.index, opc.ctaGroup);
  }
}

/**
 * An acquired accumulator as writers get it: it is trivially copied, and has no release.
 *
 * @example
 * return [
 *   mma,
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _scope = context.enter();
 *     const { outputPipeline } = context;
 *     const index = yield* outputPipeline.acquireForEpilogue();
 *     const stage = OutputStage.fromRaw(outputPipeline.getPipeline(), index, context.tmem);
 *     yield* writer.write(stage);
 *     outputPipeline.releaseFromEpilogue();
 *   }),
 * ];
 */
export class OutputStage {
  /** The number of the accumulator. */
  readonly index: number;
  /** Its columns of tensor memory. */
  readonly tmem: TmemStage;
  /** The pipeline, for its barriers alone. */
  readonly pipeline: ProducerConsumerPipeline;
  /** 2 if pairs of CTAs multiply. */
  readonly ctaGroup: CtaGroup;

  /** Created by handles and {@link fromRaw}. */
  constructor(
    pipeline: ProducerConsumerPipeline,
    index: number,
    tmem: TmemStage,
    ctaGroup: CtaGroup = 1,
  ) {
    this.pipeline = pipeline;
    this.index = index;
    this.tmem = tmem;
    this.ctaGroup = ctaGroup;
  }

  /** For programs that keep the number of a stage and the position of its columns. */
  static fromRaw(
    pipeline: ProducerConsumerPipeline,
    index: number,
    tmem: TmemAllocation,
  ): OutputStage {
    return new OutputStage(pipeline, index, tmem.stage(index), tmem.opc.ctaGroup);
  }
}

abstract class FillingAccumulator extends AccumStage {
  /** The producing side. */
  declare readonly side: typeof Side.produce;

  override drop(): void {
    this.complete();
  }

  /** The commit of the MMAs so far, in every CTA that waits; then the step. */
  protected complete(): void {
    const { full, warp } = this.owner;
    commit(UNITS.mma, full[this.index]!, { ctas: warp.completes });
    this.leave(false);
  }
}

/**
 * An accumulator to fill; its block commits and advances: `using out = yield* output.producer()`.
 *
 * @example
 * return [
 *   warps.mma(function* () {
 *     const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 *     using _scope = context.enter();
 *     using _accumulator: OutputProducer = yield* context.outputPipeline.producer();
 *   }),
 *   epilogue,
 * ];
 */
export class OutputProducer extends FillingAccumulator implements Disposable {
  override get linear(): false {
    return false;
  }

  /** Commits and advances. */
  [Symbol.dispose](): void {
    this.complete();
  }
}

/**
 * An accumulator to fill, owned until {@link release}.
 *
 * @example
 * return [
 *   warps.mma(function* () {
 *     const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 *     using _scope = context.enter();
 *     const accumulator: MmaStage = yield* context.outputPipeline.acquireMmaLinear();
 *     accumulator.release();
 *   }),
 *   epilogue,
 * ];
 */
export class MmaStage extends FillingAccumulator {
  override get linear(): true {
    return true;
  }

  /** One elected thread commits to all CTAs that wait; then the warp advances. */
  release(): void {
    this.complete();
  }
}

abstract class ReadingAccumulator extends AccumStage {
  /** The consuming side. */
  declare readonly side: typeof Side.consume;

  override drop(): void {
    this.leave(false);
  }
}

/**
 * A complete accumulator; its block only advances, since the writer frees it.
 *
 * @example
 * return [
 *   mma,
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _scope = context.enter();
 *     using accumulator: OutputConsumer = yield* context.outputPipeline.consumer();
 *     yield* writer.write(accumulator.outputStage);
 *   }),
 * ];
 */
export class OutputConsumer extends ReadingAccumulator implements Disposable {
  override get linear(): false {
    return false;
  }

  /** Advances without a signal: without an arrival the accumulator is never free again. */
  [Symbol.dispose](): void {
    this.leave(false);
  }
}

/**
 * A complete accumulator, owned until {@link release}, which frees nothing.
 *
 * @example
 * return [
 *   mma,
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _scope = context.enter();
 *     const accumulator: EpilogueStage = yield* context.outputPipeline.acquireEpilogueLinear();
 *     yield* writer.write(accumulator.outputStage);
 *     accumulator.release();
 *   }),
 * ];
 */
export class EpilogueStage extends ReadingAccumulator {
  override get linear(): true {
    return true;
  }

  /** Advances without a signal: without an arrival the accumulator is never free again. */
  release(): void {
    this.leave(false);
  }
}
