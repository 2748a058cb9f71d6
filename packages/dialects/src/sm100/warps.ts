// The lifetime of tensor memory without scopes: one call ends what `create` has begun.
import type { Op, Operation, ProducerConsumerPipeline } from '@poundlock/core';
import { trackGenerators } from '@poundlock/core/dialect';
import type { EpilogueKContext, MmaKStage } from './k-stages.ts';
import type { OutputTilePipeline } from './output-pipeline.ts';
import type { EpilogueStage, MmaStage } from './output-stages.ts';
import type { TmemAllocation, TmemPublished } from './tmem.ts';
import { EpilogueWarpContext, MmaWarpContext } from './warp-contexts.ts';
import type { WarpContextStorage } from './warp-types.ts';

/**
 * The MMA warp's context without a scope, ended by {@link release}; kernels call it `MmaHandle`.
 *
 * @example
 * return [
 *   warps.mma(function* () {
 *     const context = yield* MmaWarp.create(smem, ctx.mmaCompleteMask);
 *     const accumulator = yield* context.acquireKStageLinear();
 *     accumulator.release();
 *     context.release();
 *   }),
 *   epilogue,
 * ];
 */
export class MmaWarp {
  readonly #context: MmaWarpContext;

  private constructor(context: MmaWarpContext) {
    this.#context = context;
  }

  /** Allocates tensor memory, creates the output pipeline, and signals the epilogue. */
  static *create(
    smem: WarpContextStorage,
    mmaCompleteMask: readonly number[],
  ): Generator<Op, MmaWarp, number> {
    const context = yield* MmaWarpContext.create(smem, mmaCompleteMask);
    smem.types.Sync.arrive();
    return new MmaWarp(context);
  }

  /** The tensor memory. */
  get tmem(): TmemAllocation {
    return this.#context.tmem;
  }

  /** The output pipeline. */
  get outputPipeline(): OutputTilePipeline {
    return this.#context.outputPipeline;
  }

  /** The accumulator of one k step; its block commits. */
  perKStage(): Operation<MmaKStage> {
    return this.#context.perKStage();
  }

  /** The accumulator of one k step, committed by exactly one call. */
  acquireKStageLinear(): Operation<MmaStage> {
    return this.outputPipeline.acquireMmaLinear();
  }

  /**
   * Gives up the permit to allocate, waits for the epilogue, and frees tensor memory (T15, T16).
   */
  release(): void {
    this.#context.deallocBarrier.completeDealloc(this.tmem);
  }
}
trackGenerators(MmaWarp);

/**
 * The epilogue warps' context without a scope, ended by {@link release}; kernels call it
 * `EpilogueHandle`.
 *
 * @example
 * return [
 *   mma,
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarp.create(smem, ctx.mmaCompleteMask, published);
 *     const accumulator = yield* context.acquireKStageLinear();
 *     yield* writer.write(accumulator.outputStage);
 *     accumulator.release();
 *     context.release();
 *   }),
 * ];
 */
export class EpilogueWarp {
  readonly #context: EpilogueWarpContext;

  private constructor(context: EpilogueWarpContext) {
    this.#context = context;
  }

  /** Reads the address of the tensor memory and creates the output pipeline. */
  static create(
    smem: WarpContextStorage,
    mmaCompleteMask: readonly number[],
    published: TmemPublished,
  ): EpilogueWarp {
    return new EpilogueWarp(EpilogueWarpContext.create(smem, mmaCompleteMask, published));
  }

  /** The tensor memory. */
  get tmem(): TmemAllocation {
    return this.#context.tmem;
  }

  /** The output pipeline. */
  get outputPipeline(): OutputTilePipeline {
    return this.#context.outputPipeline;
  }

  /** The accumulator of one k step with its input stage; its block frees both. */
  perKStage(input: ProducerConsumerPipeline): Generator<Op, EpilogueKContext, number> {
    return this.#context.perKStage(input);
  }

  /** The accumulator of one k step; its release frees nothing (T10). */
  acquireKStageLinear(): Operation<EpilogueStage> {
    return this.outputPipeline.acquireEpilogueLinear();
  }

  /** Every thread signals the MMA warps, the peer's first, that its reads are done (T15). */
  release(): void {
    this.#context.deallocBarrier.signalComplete();
  }
}
