// Tensor memory: its allocation, its accumulators, and the barrier before deallocation.
import {
  InputError,
  alloc,
  arrive,
  asyncUse,
  barrier,
  buffer,
  free,
  init,
  pool,
  read,
  relinquish,
  wait,
  waitGroup,
  write,
} from '@poundlock/core';
import type { Barrier, Buffer, CtaGroup, Op, Operation, Pool, Unit } from '@poundlock/core';
import {
  callingRole,
  currentPosition,
  postWait,
  trackGenerators,
  closeMembers,
  requireOptions,
} from '@poundlock/core/dialect';
import { leaderOf } from './cluster.ts';
import { CONFIG, TMEM_COLUMNS, type OutputPipelineConfig } from './config.ts';

/** `tcgen05.ld`: from tensor memory to registers, until `tcgen05.wait::ld`. */
const TMEM_LOAD: Unit = { name: 'tcgen05.ld', order: 'in-order', proxy: 'tensor' };

/**
 * The tensor memory of a CTA: its columns, and the word of shared memory with their address. The
 * columns are in parts, one for each accumulator and one for each of `extraColumns`, so that two
 * accesses race only where they overlap.
 *
 * @example
 * const opc = { numStages: 1, stageStrideCols: 256, ctaGroup: 1 } as const;
 * const storage = new TmemStorage('columns', opc, [32]);
 * return [
 *   role('mma', { lanes: 32 }, function* () {
 *     const tmem = yield* TmemAllocation.allocate(storage);
 *     write(tmem.extra(0));
 *     tmem.releaseLock();
 *     tmem.deallocate();
 *   }),
 * ];
 */
export class TmemStorage {
  /** Number and size of the accumulators. */
  readonly opc: OutputPipelineConfig;
  /** The columns. */
  readonly pool: Pool;
  /** The word with the address. */
  readonly address: Buffer;
  /** The registers that the epilogue loads accumulators into. */
  readonly fragments: Buffer;
  /** The barrier of the allocation of a pair, which two warps execute together. */
  readonly together: Barrier;
  /** Columns of every part; unused ones are the last part. */
  readonly columns: readonly number[];

  /**
   * Declares it.
   *
   * @throws InputError if the parts need more than 512 columns.
   */
  constructor(name: string, opc: OutputPipelineConfig, extraColumns: readonly number[] = []) {
    requireOptions('TmemStorage', CONFIG, opc);
    const { numStages, stageStrideCols } = opc;
    const used = [...Array.from({ length: numStages }, () => stageStrideCols), ...extraColumns];
    const rest = TMEM_COLUMNS - used.reduce((sum, columns) => sum + columns, 0);
    if (rest < 0) {
      throw new InputError(
        `${name} needs ${TMEM_COLUMNS - rest} columns of ${TMEM_COLUMNS}`,
        currentPosition(),
      );
    }
    this.opc = opc;
    this.columns = rest === 0 ? used : [...used, rest];
    this.pool = pool(name, { capacity: TMEM_COLUMNS, buffers: this.columns.length });
    this.address = buffer(`${name}_addr`);
    this.fragments = buffer(`${name}_fragments`);
    this.together = barrier(`${name}_together`, { count: opc.ctaGroup });
  }
}
closeMembers(TmemStorage.prototype);

/**
 * Evidence that the address was published: only a wait for it returns this (T2).
 *
 * @example
 * return [
 *   mma,
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _scope = context.enter();
 *     using accumulator = yield* context.outputPipeline.consumer();
 *     yield* writer.write(accumulator.outputStage);
 *   }),
 * ];
 */
export class TmemPublished {
  // Keeps other objects from passing for it.
  readonly #isPublished = true;

  /** Always `true`. */
  get isPublished(): boolean {
    return this.#isPublished;
  }
}

/**
 * The 512 columns of an SM, from allocation to deallocation.
 *
 * @example
 * const storage = new TmemStorage('columns', { numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
 * return [
 *   role('mma', { lanes: 32 }, function* () {
 *     const tmem = yield* TmemAllocation.allocate(storage);
 *     tmem.stage(1).store();
 *     tmem.releaseLock();
 *     tmem.deallocate();
 *   }),
 * ];
 */
export class TmemAllocation {
  /** Number and size of the accumulators. */
  readonly opc: OutputPipelineConfig;
  readonly #storage: TmemStorage;

  private constructor(storage: TmemStorage) {
    this.opc = storage.opc;
    this.#storage = storage;
  }

  /**
   * Allocates all columns, by one warp, and publishes their address. With pairs, the warps of both
   * CTAs allocate together.
   */
  static *allocate(storage: TmemStorage): Generator<Op, TmemAllocation, number> {
    const { ctaGroup } = storage.opc;
    for (const columns of storage.columns) yield* alloc(storage.pool, columns);
    if (ctaGroup === 2) {
      const even = leaderOf(callingRole('an allocation').cta, ctaGroup);
      arrive(storage.together, { ctas: [even, even + 1] });
      yield* wait(storage.together, 0);
    }
    write(storage.address);
    return new TmemAllocation(storage);
  }

  /** The allocation of another warp, whose address is read from shared memory. */
  static fromShared(storage: TmemStorage, _published: TmemPublished): TmemAllocation {
    read(storage.address);
    return new TmemAllocation(storage);
  }

  /** The accumulator with number `index`. */
  stage(index: number): TmemStage {
    return new TmemStage(this.#storage, index);
  }

  /** The columns behind the accumulators, by the index in `extraColumns`. */
  extra(index: number): Buffer {
    return this.#storage.pool.buffers[this.opc.numStages + index]!;
  }

  /** Gives up the permit to allocate, so that the next CTA of the SM may (T16). */
  releaseLock(): void {
    relinquish(this.#storage.pool);
  }

  /** Frees all columns. */
  deallocate(): void {
    for (const part of this.#storage.pool.buffers) free(part);
  }
}
trackGenerators(TmemAllocation);

/**
 * One accumulator: its columns, and how the epilogue loads them into registers.
 *
 * @example
 * return [
 *   mma,
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _scope = context.enter();
 *     using accumulator = yield* context.outputPipeline.consumer();
 *     const stage: TmemStage = accumulator.tmem;
 *     stage.loadUpper();
 *     stage.loadLower();
 *     yield* stage.waitLoad();
 *     stage.useFragments();
 *     AccumBarrier.arrive(context.outputPipeline.getPipeline(), stage.index);
 *   }),
 * ];
 */
export class TmemStage {
  /** The columns as roles and units access them. */
  readonly tensor: Buffer;
  /** The number of the accumulator. */
  readonly index: number;
  readonly #storage: TmemStorage;

  /** Created by {@link TmemAllocation.stage}. */
  constructor(storage: TmemStorage, index: number) {
    this.tensor = storage.pool.buffers[index]!;
    this.index = index;
    this.#storage = storage;
  }

  /** Its first column. */
  offset(): number {
    return this.index * this.#storage.opc.stageStrideCols;
  }

  /** Issues a load of the upper rows; {@link waitLoad} waits for it. */
  loadUpper(): void {
    this.#load();
  }

  /** Issues a load of the lower rows; {@link waitLoad} waits for it. */
  loadLower(): void {
    this.#load();
  }

  #load(): void {
    asyncUse(TMEM_LOAD, { reads: [this.tensor], writes: [this.#storage.fragments], group: true });
  }

  /** Computes with what was loaded; to be called after {@link waitLoad}. */
  useFragments(): void {
    read(this.#storage.fragments);
  }

  /** Writes the columns from registers, at once: `tcgen05.st` with its wait. */
  store(): void {
    write(this.tensor);
  }

  /** Blocks until everything that was loaded is in registers. */
  waitLoad(): Operation<void> {
    return waitGroup(TMEM_LOAD, 0);
  }
}

/**
 * Signals the MMA warp that every thread of the epilogue, in both CTAs of a pair, is done (T15).
 *
 * @example
 * const done = new TmemDeallocBarrier('done');
 * const all = new WarpRoles(ctx, () => done.initBarrier(128));
 * return [
 *   all.mma(function* () {
 *     yield* done.wait();
 *   }),
 *   all.epilogue(function* () {
 *     done.signalComplete();
 *   }),
 * ];
 */
export class TmemDeallocBarrier {
  /** 2 if pairs of CTAs multiply. */
  readonly ctaGroup: CtaGroup;
  readonly #mbar: Barrier;

  /** Declares it; {@link initBarrier} initializes it. */
  constructor(name: string, ctaGroup: CtaGroup = 1) {
    this.ctaGroup = ctaGroup;
    this.#mbar = barrier(name, { count: 0 });
  }

  /** Initializes it for the epilogue threads of each CTA. */
  initBarrier(epilogueThreads: number): void {
    init(this.#mbar, epilogueThreads * this.ctaGroup);
  }

  /** Every thread of the role arrives in its own CTA. */
  signalSelf(): void {
    arrive(this.#mbar, { everyLane: true });
  }

  /** Every thread of the role arrives in the other CTA of its pair. */
  signalPeer(): void {
    const cta = callingRole('an arrival at the peer').cta ^ 1;
    arrive(this.#mbar, { everyLane: true, cta });
  }

  /** Every thread of the role signals all MMA warps that wait: the peer's first. */
  signalComplete(): void {
    if (this.ctaGroup === 2) this.signalPeer();
    this.signalSelf();
  }

  /** Blocks until all epilogue threads have arrived; there is one phase. */
  wait(): Operation<void> {
    return wait(this.#mbar, 0);
  }

  /** Gives up the permit to allocate, waits for the epilogue, and frees the columns. */
  completeDealloc(tmem: TmemAllocation): void {
    tmem.releaseLock();
    postWait(this.#mbar, 0);
    tmem.deallocate();
  }
}
closeMembers(TmemDeallocBarrier.prototype);
