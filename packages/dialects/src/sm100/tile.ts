// Tiles in shared memory, and the TMA loads that fill them.
import { UNITS, asyncCopy, buffer } from '@poundlock/core';
import type { Barrier, Buffer, CtaGroup } from '@poundlock/core';
import {
  option,
  optionTable,
  requireOptions,
  type OptionsOf,
  closeMembers,
} from '@poundlock/core/dialect';

/** One tile in shared memory: rows × columns. If several CTAs fill it, each copies a slice. */
export interface Tile {
  /** Its size in bytes. */
  readonly bytes: number;
  /** Its slices. */
  readonly slices: readonly Buffer[];
}

const TILE = optionTable({
  /** The shape of a tile, in elements. */
  shape: option.checkedLater<readonly [rows: number, columns: number]>(),
  /** Bytes of an element; a fraction for elements below a byte. */
  elementBytes: option.checkedLater<number>(),
  /** The number of tiles. */
  count: option.checkedLater<number>(),
  /** The slices of a tile; 1 unless specified. */
  slices: option.checkedLater<number>(),
});

/** Options of {@link tileArray}. */
export interface TileOptions extends OptionsOf<typeof TILE, 'shape' | 'elementBytes' | 'count'> {}

/**
 * Declares tiles, as `SMemTileArray` reserves them.
 *
 * @example
 * const tiles = tileArray('c', { shape: [128, 32], elementBytes: 2, count: 2 });
 * return [
 *   role('epilogue', function* () {
 *     for (const { slices } of tiles) slices.forEach((slice) => write(slice));
 *   }),
 * ];
 */
export function tileArray(name: string, options: TileOptions): readonly Tile[] {
  requireOptions('tileArray()', TILE, options);
  const { shape, elementBytes, count, slices = 1 } = options;
  const bytes = shape[0] * shape[1] * elementBytes;
  return Array.from({ length: count }, (_, at) => {
    const own = Array.from({ length: slices }, (_, slice) =>
      buffer(slices === 1 ? `${name}[${at}]` : `${name}[${at}].${slice}`),
    );
    return { bytes, slices: own };
  });
}

/**
 * Copies one slice of a tile into every CTA of a multicast mask.
 *
 * @example
 * const own = new TileLoader([0]);
 * return [
 *   warps.mainLoad(function* () {
 *     using tiles = yield* input.producer().acquire();
 *     tiles.expectBytes(payload.bytes);
 *     for (const tile of payload.getTile(tiles.stage())) own.load(tile, tiles.barrier());
 *   }),
 *   multiply,
 *   epilogueThread,
 * ];
 */
export class TileLoader {
  readonly #mask: readonly number[];
  readonly #ctaGroup: CtaGroup;
  readonly #slice: number;

  /** Creates a loader of slice `slice` for the CTAs of `mask`. */
  constructor(mask: readonly number[], ctaGroup: CtaGroup = 1, slice = 0) {
    this.#mask = mask;
    this.#ctaGroup = ctaGroup;
    this.#slice = slice;
  }

  /** Issues the copy, whose bytes the leader's `barrier` counts (U06). */
  load(tile: Tile, barrier: Barrier): void {
    asyncCopy(UNITS.tma, {
      into: [tile.slices[this.#slice]!],
      bar: barrier,
      bytes: tile.bytes / tile.slices.length,
      ctas: this.#mask,
      ctaGroup: this.#ctaGroup,
    });
  }
}
closeMembers(TileLoader.prototype);
