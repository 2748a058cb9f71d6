// The epilogue's output path: accumulator, registers, shared memory, global memory.
import { UNITS, asyncUse, buffer, fence, waitGroup, write } from '@poundlock/core';
import type { Buffer, Op } from '@poundlock/core';
import { trackGenerators } from '@poundlock/core/dialect';
import { AccumBarrier, WarpGroupBarrier } from './barriers.ts';
import { WARP_SIZE } from './config.ts';
import type { OutputStage } from './output-stages.ts';

/** Tiles of shared memory between registers and TMA stores: one is filled while one is stored. */
const OUTPUT_TILES = 2;
/** Parts of an accumulator: more than there are tiles, so that a tile is filled again. */
const SUB_STAGES = 3;
const EPILOGUE_SYNC_ID = 0;

/** What an epilogue does with the fragments of one sub-stage before it stores them. */
export type FragmentBody = (subStage: number) => Generator<Op, void, number>;

/**
 * Writes accumulators out, in sub-stages, double-buffered.
 *
 * @example
 * const out = new TileWriter('out', 4);
 * return [
 *   mma,
 *   warps.epilogue(function* () {
 *     const published = yield* smem.types.Sync.wait();
 *     const context = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
 *     using _scope = context.enter();
 *     using accumulator = yield* context.outputPipeline.consumer();
 *     yield* out.write(accumulator.outputStage);
 *   }),
 * ];
 */
export class TileWriter {
  readonly #cTiles: readonly Buffer[];
  readonly #subStages: number;
  readonly #sync = new WarpGroupBarrier(4 * WARP_SIZE, EPILOGUE_SYNC_ID);

  /** Declares its tiles; an accumulator is written in `subStages` parts. */
  constructor(name: string, subStages = SUB_STAGES) {
    this.#subStages = subStages;
    this.#cTiles = Array.from({ length: OUTPUT_TILES }, (_, at) => buffer(`${name}[${at}]`));
  }

  /**
   * Writes an accumulator. It is free for the MMA warp as soon as its last fragments are in
   * registers, before they are stored (T9).
   */
  *write(stage: OutputStage, fragments?: FragmentBody): Generator<Op, void, number> {
    for (let subStage = 0; subStage < this.#subStages; subStage++) {
      stage.tmem.loadUpper();
      stage.tmem.loadLower();
      yield* stage.tmem.waitLoad();
      stage.tmem.useFragments();
      if (subStage === this.#subStages - 1) {
        AccumBarrier.arrive(stage.pipeline, stage.index, stage.ctaGroup);
      }
      if (fragments !== undefined) yield* fragments(subStage);
      yield* this.#store(subStage);
    }
  }

  /** Writes what is in registers: the sums of a kernel that adds up its k steps itself. */
  *writeRegisters(): Generator<Op, void, number> {
    yield* this.#sync.sync();
    for (let subStage = 0; subStage < this.#subStages; subStage++) yield* this.#store(subStage);
  }

  /** Registers to shared memory, and from there, asynchronously, to global memory. */
  *#store(subStage: number): Generator<Op, void, number> {
    const tile = this.#cTiles[subStage % OUTPUT_TILES]!;
    write(tile);
    fence('proxy.async');
    yield* this.#sync.sync();
    asyncUse(UNITS.bulk, { reads: [tile], group: true });
    // The other tile is filled next: its store must have read it.
    yield* waitGroup(UNITS.bulk, subStage === this.#subStages - 1 ? 0 : OUTPUT_TILES - 1);
    yield* this.#sync.sync();
  }
}
trackGenerators(TileWriter);
