// The life of tensor memory without scopes: one call ends what `create` has begun.
import type { ProducerConsumerPipeline } from '@poundlock/core/internal/pipeline';
import type { Op } from '@poundlock/core/internal/op';
import type { Operation } from '@poundlock/core/internal/program';
import type { EpilogueKContext, MmaKStage } from './k-stages.ts';
import type { OutputTilePipeline } from './output-pipeline.ts';
import type { EpilogueStage, MmaStage } from './output-stages.ts';
import type { TmemAllocation, TmemPublished } from './tmem.ts';
import { EpilogueWarpContext, MmaWarpContext } from './warp-contexts.ts';
import type { WarpContextStorage } from './warp-types.ts';

/** The MMA warp's context, ended by {@link release}; kernels call it `MmaHandle`. */
export class MmaWarp {
  readonly #context: MmaWarpContext;

  private constructor(context: MmaWarpContext) {
    this.#context = context;
  }

  /** Allocates tensor memory, makes the output pipeline, and tells the epilogue. */
  static *create(
    smem: WarpContextStorage,
    mmaCompleteMask: readonly number[],
  ): Generator<Op, MmaWarp, number> {
    const context = yield* MmaWarpContext.create(smem, mmaCompleteMask);
    smem.types.Sync.arrive();
    return new MmaWarp(context);
  }

  get tmem(): TmemAllocation {
    return this.#context.tmem;
  }

  get outputPipeline(): OutputTilePipeline {
    return this.#context.outputPipeline;
  }

  /** The accumulator of one k step; its block commits. */
  perKStage(): Operation<MmaKStage> {
    return this.#context.perKStage();
  }

  /** The accumulator of one k step, committed by one call. */
  acquireKStageLinear(): Operation<MmaStage> {
    return this.outputPipeline.acquireMmaLinear();
  }

  /** Gives up the right to allocate, waits for the epilogue, frees tensor memory (T15, T16). */
  release(): void {
    this.#context.deallocBarrier.completeDealloc(this.tmem);
  }
}

/** The epilogue warps' context, ended by {@link release}; kernels call it `EpilogueHandle`. */
export class EpilogueWarp {
  readonly #context: EpilogueWarpContext;

  private constructor(context: EpilogueWarpContext) {
    this.#context = context;
  }

  /** Reads the address of the tensor memory and makes the output pipeline. */
  static create(
    smem: WarpContextStorage,
    mmaCompleteMask: readonly number[],
    published: TmemPublished,
  ): EpilogueWarp {
    return new EpilogueWarp(EpilogueWarpContext.create(smem, mmaCompleteMask, published));
  }

  get tmem(): TmemAllocation {
    return this.#context.tmem;
  }

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

  /** Every thread tells the MMA warps, the peer's first, that it has read its last (T15). */
  release(): void {
    this.#context.deallocBarrier.signalComplete();
  }
}
