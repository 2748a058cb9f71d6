// The tensor core as the MMA warp uses it: products into an accumulator, and commits.
import { UNITS } from '@poundlock/core/internal/op';
import { asyncUse, commit, type Barrier, type Buffer } from '@poundlock/core/internal/program';
import type { KernelContext } from './cluster.ts';
import type { Tile } from './tile.ts';

/** `tcgen05.mma` of one CTA or of a pair: a pair reads and writes in both CTAs, as one. */
export class MmaOpSM100 {
  readonly #ctx: KernelContext;

  constructor(ctx: KernelContext) {
    this.#ctx = ctx;
  }

  /** Posted, by one elected thread: multiplies `tiles` into an accumulator. */
  mma(tiles: readonly Tile[], accumulator: Buffer, alsoReads: readonly Buffer[] = []): void {
    const reads = [...tiles.flatMap((tile) => tile.slices), ...alsoReads];
    const ctas = this.#ctx.mmaCompleteMask;
    asyncUse(UNITS.mma, { reads, writes: [accumulator], ctas });
  }

  /** Posted: copies scale factors into tensor memory, in order with the products. */
  copyScales(tile: Tile, columns: Buffer): void {
    const ctas = this.#ctx.mmaCompleteMask;
    asyncUse(UNITS.mma, { reads: tile.slices, writes: [columns], ctas });
  }

  /**
   * Posted: when everything that this thread issued before is done, one arrival in every CTA that
   * copies into the stage; that is whom `tiles.mbar()` frees (T7).
   */
  commit(mbar: Barrier): void {
    commit(UNITS.mma, mbar, { ctas: this.#ctx.inputMask });
  }
}
