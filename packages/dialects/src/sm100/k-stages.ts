// Accumulators that are passed on in every k step: blockwise FP8 scales each partial product.
import { arrive } from '@poundlock/core';
import type { ProducerConsumerPipeline, Side } from '@poundlock/core';
import { AccumStage, OutputProducer, type OutputStage } from './output-stages.ts';

/**
 * An accumulator of one k step; its block commits and advances.
 *
 * @example
 * return [
 *   warps.mma(function* () {
 *     const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 *     using _scope = context.enter();
 *     using _accumulator: MmaKStage = yield* context.perKStage();
 *   }),
 *   epilogue,
 * ];
 */
export class MmaKStage extends OutputProducer {}

abstract class ReadingK extends AccumStage implements Disposable {
  /** The consuming side. */
  declare readonly side: typeof Side.consume;
  override get linear(): false {
    return false;
  }

  /** Frees the accumulator and advances. */
  abstract [Symbol.dispose](): void;

  override drop(): void {
    this[Symbol.dispose]();
  }
}

/**
 * A complete accumulator of one k step, which every thread of the epilogue frees at the end of its
 * block.
 *
 * @example
 * return [
 *   mma,
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _scope = context.enter();
 *     using accumulator: PerKConsumerStage = yield* context.outputPipeline.perK().consume();
 *     accumulator.tmem.loadUpper();
 *     yield* accumulator.tmem.waitLoad();
 *   }),
 * ];
 */
export class PerKConsumerStage extends ReadingK {
  /** Every thread frees the accumulator; then the role advances. */
  [Symbol.dispose](): void {
    this.free();
    this.leave(false);
  }
}

/**
 * What the epilogue reads in one k step: an accumulator, and the input stage with its scales.
 *
 * @example
 * const scaled = new InputTilePipeline('scaled', payload, { stages: 1 });
 * const all = new WarpRoles(ctx, () => {
 *   smem.initBarriers();
 *   scaled.initBarriers(1, 2);
 * });
 * return [
 *   all.mainLoad(function* () {
 *     using tiles = yield* scaled.producer().acquire();
 *     tiles.expectBytes(payload.bytes);
 *     for (const tile of payload.getTile(tiles.stage())) loader.load(tile, tiles.barrier());
 *   }),
 *   all.mma(function* () {
 *     const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 *     using _scope = context.enter();
 *     using tiles = yield* scaled.consumer().acquire();
 *     using accumulator = yield* context.perKStage();
 *     mmaOp.mma(payload.getTile(tiles.stage()), accumulator.tmem.tensor);
 *     mmaOp.commit(tiles.mbar());
 *   }),
 *   all.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _scope = context.enter();
 *     using accumulator = yield* context.perKStage(scaled.pipeline);
 *     const { kStage } = accumulator;
 *     kStage.outputStage.tmem.loadUpper();
 *     yield* kStage.outputStage.tmem.waitLoad();
 *     kStage.arriveInput(1);
 *   }),
 * ];
 */
export class EpilogueKStage {
  /** The accumulator. */
  readonly outputStage: OutputStage;
  /** The number of the input stage. */
  readonly inputStageIndex: number;
  readonly #input: ProducerConsumerPipeline;

  /** Created by {@link EpilogueKContext}. */
  constructor(outputStage: OutputStage, inputStageIndex: number, input: ProducerConsumerPipeline) {
    this.outputStage = outputStage;
    this.inputStageIndex = inputStageIndex;
    this.#input = input;
  }

  /**
   * Frees the input stage in this CTA, by `threads` threads: those below the cluster's size in
   * each warp of the epilogue. To be called when the scales are in registers (T11).
   */
  arriveInput(threads: number): void {
    arrive(this.#input.consumerMbar(this.inputStageIndex), { lanes: threads });
  }
}

/**
 * The accumulator of one k step together with its input stage. It waits for the accumulator alone:
 * the scales are there, since the MMA has waited for them. Its end advances past the input stage
 * without a signal, frees the accumulator, and advances past it. {@link EpilogueKStage} has an
 * example of the whole kernel.
 *
 * @example
 * return [
 *   load,
 *   warps.mma(function* () {
 *     const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 *     using _scope = context.enter();
 *     using tiles = yield* input.consumer().acquire();
 *     using accumulator = yield* context.perKStage();
 *     mmaOp.mma(payload.getTile(tiles.stage()), accumulator.tmem.tensor);
 *     mmaOp.commit(tiles.mbar());
 *   }),
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _scope = context.enter();
 *     using accumulator: EpilogueKContext = yield* context.perKStage(input.pipeline);
 *     accumulator.tmem.loadUpper();
 *     yield* accumulator.tmem.waitLoad();
 *   }),
 * ];
 */
export class EpilogueKContext extends ReadingK {
  #input: ProducerConsumerPipeline | null = null;
  #inputStage = -1;

  /**
   * Sets the input stage.
   *
   * @internal
   */
  over(input: ProducerConsumerPipeline, inputStage: number): this {
    this.#input = input;
    this.#inputStage = inputStage;
    return this;
  }

  /** The stages of both pipelines. */
  get kStage(): EpilogueKStage {
    return new EpilogueKStage(this.outputStage, this.#inputStage, this.#input!);
  }

  /** Advances past the input stage, and frees the accumulator. */
  [Symbol.dispose](): void {
    this.#input!.consumerStep();
    this.free();
    this.leave(false);
  }
}
