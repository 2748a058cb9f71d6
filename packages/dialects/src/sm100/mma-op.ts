// The tensor core for the MMA warp: products into an accumulator, and commits.
import { closeMembers } from '@poundlock/core/dialect';
import { UNITS, asyncUse, commit } from '@poundlock/core';
import type { Barrier, Buffer } from '@poundlock/core';
import type { KernelContext } from './cluster.ts';
import type { Tile } from './tile.ts';

/**
 * The tensor core: `tcgen05.mma` of one CTA or of a pair, which reads and writes in both CTAs as
 * one.
 *
 * @example
 * const one = new MmaOpSM100(ctx);
 * return [
 *   load,
 *   warps.mma(function* () {
 *     using tiles = yield* input.consumer().acquire();
 *     one.mma(payload.getTile(tiles.stage()), acc);
 *     one.commit(tiles.mbar());
 *   }),
 *   epilogueThread,
 * ];
 */
export class MmaOpSM100 {
  readonly #ctx: KernelContext;

  /** Creates the operation of a CTA. */
  constructor(ctx: KernelContext) {
    this.#ctx = ctx;
  }

  /** Issues the product of `tiles` into an accumulator, by one elected thread. */
  mma(tiles: readonly Tile[], accumulator: Buffer, alsoReads: readonly Buffer[] = []): void {
    const reads = [...tiles.flatMap((tile) => tile.slices), ...alsoReads];
    const ctas = this.#ctx.mmaCompleteMask;
    asyncUse(UNITS.mma, { reads, writes: [accumulator], ctas });
  }

  /** Issues a copy of scale factors into tensor memory, in order with the products. */
  copyScales(tile: Tile, columns: Buffer): void {
    const ctas = this.#ctx.mmaCompleteMask;
    asyncUse(UNITS.mma, { reads: tile.slices, writes: [columns], ctas });
  }

  /**
   * Issues one arrival in every CTA that copies into the stage, which happens when everything that
   * this thread issued before has completed (T7).
   */
  commit(mbar: Barrier): void {
    commit(UNITS.mma, mbar, { ctas: this.#ctx.inputMask });
  }
}
closeMembers(MmaOpSM100.prototype);
