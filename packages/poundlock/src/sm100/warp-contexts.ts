// The life of tensor memory as scopes: the end of the MMA warp's block frees it.
import type { ProducerConsumerPipeline } from '@poundlock/core/internal/pipeline';
import type { Op } from '@poundlock/core/internal/op';
import type { Operation } from '@poundlock/core/internal/program';
import type { EpilogueKContext, MmaKStage } from './k-stages.ts';
import { OutputTilePipeline } from './output-pipeline.ts';
import { TmemAllocation, type TmemDeallocBarrier, type TmemPublished } from './tmem.ts';
import type { TmemSync, WarpContextStorage } from './warp-types.ts';

/**
 * The MMA warp's context: it owns the tensor memory and the output pipeline. Nothing happens until
 * {@link enter}, and nothing ends without its block.
 *
 * @example
 * const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
 * using _tmemLifecycle = mmaCtx.enter();
 */
export class MmaWarpContext {
  readonly tmem: TmemAllocation;
  readonly outputPipeline: OutputTilePipeline;
  readonly deallocBarrier: TmemDeallocBarrier;
  readonly #sync: TmemSync;

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

  /** Allocates tensor memory and makes the output pipeline; tells nobody yet. */
  static *create(
    smem: WarpContextStorage,
    mmaCompleteMask: readonly number[],
  ): Generator<Op, MmaWarpContext, number> {
    const tmem = yield* TmemAllocation.allocate(smem.tmemAddr);
    const output = new OutputTilePipeline(smem.accumBarriers, tmem, mmaCompleteMask);
    return new MmaWarpContext(smem.types.Sync, tmem, output, smem.tmemDealloc);
  }

  /** Tells the epilogue that tensor memory is allocated; the block's end frees it. */
  enter(): MmaWarpScope {
    this.#sync.arrive();
    return new MmaWarpScope(this);
  }

  /** The accumulator of one k step; its block commits. */
  perKStage(): Operation<MmaKStage> {
    return this.outputPipeline.perK().produce();
  }
}

/** The block of an MMA warp's context. */
export class MmaWarpScope implements Disposable {
  readonly #context: MmaWarpContext;

  constructor(context: MmaWarpContext) {
    this.#context = context;
  }

  /** Gives up the right to allocate, waits for the epilogue, frees tensor memory (T15, T16). */
  [Symbol.dispose](): void {
    this.#context.deallocBarrier.completeDealloc(this.#context.tmem);
  }
}

/**
 * The epilogue warps' context, made once the address of the tensor memory is there.
 *
 * @example
 * const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, yield* Sync.wait());
 * using _signalsDealloc = epiCtx.enter();
 */
export class EpilogueWarpContext {
  readonly tmem: TmemAllocation;
  readonly outputPipeline: OutputTilePipeline;
  readonly deallocBarrier: TmemDeallocBarrier;

  constructor(
    tmem: TmemAllocation,
    outputPipeline: OutputTilePipeline,
    deallocBarrier: TmemDeallocBarrier,
  ) {
    this.tmem = tmem;
    this.outputPipeline = outputPipeline;
    this.deallocBarrier = deallocBarrier;
  }

  /** Reads the address of the tensor memory and makes the output pipeline. */
  static create(
    smem: WarpContextStorage,
    mmaCompleteMask: readonly number[],
    published: TmemPublished,
  ): EpilogueWarpContext {
    const tmem = TmemAllocation.fromShared(smem.tmemAddr, published);
    const output = new OutputTilePipeline(smem.accumBarriers, tmem, mmaCompleteMask);
    return new EpilogueWarpContext(tmem, output, smem.tmemDealloc);
  }

  /** Does nothing; the block's end tells that every read is done. */
  enter(): EpilogueWarpScope {
    return new EpilogueWarpScope(this);
  }

  /** The accumulator of one k step with its input stage; its block frees both. */
  perKStage(input: ProducerConsumerPipeline): Generator<Op, EpilogueKContext, number> {
    return this.outputPipeline.perKEpilogue(input);
  }
}

/** The block of the epilogue warps' context. */
export class EpilogueWarpScope implements Disposable {
  readonly #context: EpilogueWarpContext;

  constructor(context: EpilogueWarpContext) {
    this.#context = context;
  }

  /** Every thread tells the MMA warps, the peer's first, that it has read its last (T15). */
  [Symbol.dispose](): void {
    this.#context.deallocBarrier.signalComplete();
  }
}
