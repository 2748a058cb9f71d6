// The lifetime of tensor memory as scopes: the end of the MMA warp's block frees it.
import type { Op, Operation, ProducerConsumerPipeline } from '@poundlock/core';
import { trackGenerators } from '@poundlock/core/dialect';
import type { EpilogueKContext, MmaKStage } from './k-stages.ts';
import { OutputTilePipeline } from './output-pipeline.ts';
import { TmemAllocation, type TmemDeallocBarrier, type TmemPublished } from './tmem.ts';
import type { TmemSync, WarpContextStorage } from './warp-types.ts';

/**
 * The MMA warp's context: it owns the tensor memory and the output pipeline. Nothing is published
 * until {@link enter}, and nothing is freed without its block.
 *
 * @example
 * return [
 *   warps.mma(function* () {
 *     const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 *     using _tmemLifecycle = context.enter();
 *     using _accumulator = yield* context.outputPipeline.producer();
 *   }),
 *   epilogue,
 * ];
 */
export class MmaWarpContext {
  /** The tensor memory. */
  readonly tmem: TmemAllocation;
  /** The output pipeline. */
  readonly outputPipeline: OutputTilePipeline;
  /** The barrier that ends the lifetime of tensor memory. */
  readonly deallocBarrier: TmemDeallocBarrier;
  readonly #sync: TmemSync;

  /** Created by {@link create}. */
  constructor(
    sync: TmemSync,
    tmem: TmemAllocation,
    outputPipeline: OutputTilePipeline,
    deallocBarrier: TmemDeallocBarrier,
  ) {
    this.#sync = sync;
    this.tmem = tmem;
    this.outputPipeline = outputPipeline;
    this.deallocBarrier = deallocBarrier;
  }

  /** Allocates tensor memory and creates the output pipeline, without a signal. */
  static *create(
    smem: WarpContextStorage,
    mmaCompleteMask: readonly number[],
  ): Generator<Op, MmaWarpContext, number> {
    const tmem = yield* TmemAllocation.allocate(smem.tmemAddr);
    const output = new OutputTilePipeline(smem.accumBarriers, tmem, mmaCompleteMask);
    return new MmaWarpContext(smem.types.Sync, tmem, output, smem.tmemDealloc);
  }

  /** Signals the epilogue that tensor memory is allocated; the end of the block frees it. */
  enter(): MmaWarpScope {
    this.#sync.arrive();
    return new MmaWarpScope(this);
  }

  /** The accumulator of one k step; its block commits. */
  perKStage(): Operation<MmaKStage> {
    return this.outputPipeline.perK().produce();
  }
}
trackGenerators(MmaWarpContext);

/**
 * The block of an MMA warp's context.
 *
 * @example
 * return [
 *   warps.mma(function* () {
 *     const context = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 *     using _scope: MmaWarpScope = context.enter();
 *     using _accumulator = yield* context.outputPipeline.producer();
 *   }),
 *   epilogue,
 * ];
 */
export class MmaWarpScope implements Disposable {
  readonly #context: MmaWarpContext;

  /** Created by {@link MmaWarpContext.enter}. */
  constructor(context: MmaWarpContext) {
    this.#context = context;
  }

  /**
   * Gives up the permit to allocate, waits for the epilogue, and frees tensor memory (T15, T16).
   */
  [Symbol.dispose](): void {
    this.#context.deallocBarrier.completeDealloc(this.#context.tmem);
  }
}

/**
 * The epilogue warps' context, created once the address of the tensor memory is published.
 *
 * @example
 * return [
 *   mma,
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _signalsDealloc = context.enter();
 *     using accumulator = yield* context.outputPipeline.consumer();
 *     yield* writer.write(accumulator.outputStage);
 *   }),
 * ];
 */
export class EpilogueWarpContext {
  /** The tensor memory. */
  readonly tmem: TmemAllocation;
  /** The output pipeline. */
  readonly outputPipeline: OutputTilePipeline;
  /** The barrier that ends the lifetime of tensor memory. */
  readonly deallocBarrier: TmemDeallocBarrier;

  /** Created by {@link create}. */
  constructor(
    tmem: TmemAllocation,
    outputPipeline: OutputTilePipeline,
    deallocBarrier: TmemDeallocBarrier,
  ) {
    this.tmem = tmem;
    this.outputPipeline = outputPipeline;
    this.deallocBarrier = deallocBarrier;
  }

  /** Reads the address of the tensor memory and creates the output pipeline. */
  static create(
    smem: WarpContextStorage,
    mmaCompleteMask: readonly number[],
    published: TmemPublished,
  ): EpilogueWarpContext {
    const tmem = TmemAllocation.fromShared(smem.tmemAddr, published);
    const output = new OutputTilePipeline(smem.accumBarriers, tmem, mmaCompleteMask);
    return new EpilogueWarpContext(tmem, output, smem.tmemDealloc);
  }

  /** Begins the block whose end signals that every read is done. */
  enter(): EpilogueWarpScope {
    return new EpilogueWarpScope(this);
  }

  /** The accumulator of one k step with its input stage; its block frees both. */
  perKStage(input: ProducerConsumerPipeline): Generator<Op, EpilogueKContext, number> {
    return this.outputPipeline.perKEpilogue(input);
  }
}

/**
 * The block of the epilogue warps' context.
 *
 * @example
 * return [
 *   mma,
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _scope: EpilogueWarpScope = context.enter();
 *     using accumulator = yield* context.outputPipeline.consumer();
 *     yield* writer.write(accumulator.outputStage);
 *   }),
 * ];
 */
export class EpilogueWarpScope implements Disposable {
  readonly #context: EpilogueWarpContext;

  /** Created by {@link EpilogueWarpContext.enter}. */
  constructor(context: EpilogueWarpContext) {
    this.#context = context;
  }

  /** Every thread signals the MMA warps, the peer's first, that its reads are done (T15). */
  [Symbol.dispose](): void {
    this.#context.deallocBarrier.signalComplete();
  }
}
