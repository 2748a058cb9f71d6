// Tiles in shared memory, and the TMA loads that fill them.
import { UNITS } from '@poundlock/core/internal/op';
import {
  asyncCopy,
  buffer,
  type Barrier,
  type Buffer,
  type CtaGroup,
} from '@poundlock/core/internal/program';

/** One tile: rows × columns; where several CTAs fill it, each copies a slice. */
export interface Tile {
  readonly bytes: number;
  readonly slices: readonly Buffer[];
}

export interface TileOptions {
  readonly shape: readonly [rows: number, columns: number];
  /** Bytes of an element; a fraction for elements below a byte. */
  readonly elementBytes: number;
  readonly count: number;
  /** 1 unless given. */
  readonly slices?: number;
}

/** Declares `count` tiles, as `SMemTileArray` reserves them. */
export function tileArray(name: string, options: TileOptions): readonly Tile[] {
  const { shape, elementBytes, count, slices = 1 } = options;
  const bytes = shape[0] * shape[1] * elementBytes;
  return Array.from({ length: count }, (_, at) => {
    const own = Array.from({ length: slices }, (_, slice) =>
      buffer(slices === 1 ? `${name}[${at}]` : `${name}[${at}].${slice}`),
    );
    return { bytes, slices: own };
  });
}

/** Loads one slice of a tile into every CTA of a multicast mask. */
export class TileLoader {
  readonly #mask: readonly number[];
  readonly #ctaGroup: CtaGroup;
  readonly #slice: number;

  constructor(mask: readonly number[], ctaGroup: CtaGroup = 1, slice = 0) {
    this.#mask = mask;
    this.#ctaGroup = ctaGroup;
    this.#slice = slice;
  }

  /** Posted: the slice lands by itself and counts its bytes on the leader's `barrier` (U06). */
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
