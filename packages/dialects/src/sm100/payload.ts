// What a stage of the input pipeline holds: the tiles of A and B, with their scales.
import {
  option,
  optionTable,
  requireOptions,
  type OptionsOf,
  closeMembers,
} from '@poundlock/core/dialect';
import { tileArray, type Tile } from './tile.ts';

/** The tiles that a pipeline carries, by number. */
export interface TilePayload {
  /** Bytes of the tiles with one number: what one k step copies into one CTA. */
  readonly bytes: number;
}

/** The shape of a tile, in elements. */
export type TileShape = readonly [rows: number, columns: number];

const SLICES = optionTable({
  /** Those of an A tile. */
  a: option.checkedLater<number>(),
  /** Those of a B tile. */
  b: option.checkedLater<number>(),
});

/** CTAs that share the copy of a tile of each kind. */
export interface Slices extends OptionsOf<typeof SLICES, 'a' | 'b'> {}

const shape = option.checkedLater<TileShape>();

const STANDARD = optionTable({
  /** BM × BK elements. */
  a: shape,
  /** BN × BK elements. */
  b: shape,
  /** Tiles of each kind: the pipeline's stages times its `kGroupSize`. */
  stages: option.checkedLater<number>(),
  /** Bytes of an element of A and B; 2 unless specified. */
  elementBytes: option.checkedLater<number>(),
  /** CTAs that share the copy of a tile; 1 unless specified. */
  slices: option.checkedLater<Slices>(),
});

/** The shapes of A and B tiles. */
export interface StandardShapes extends OptionsOf<typeof STANDARD, 'a' | 'b' | 'stages'> {}

/**
 * A and B tiles of a standard matmul.
 *
 * @example
 * const tiles = new StandardTilePayload({ a: [128, 64], b: [256, 64], stages: 1 });
 * return [
 *   role('load', function* () {
 *     for (const { slices } of tiles.getTile(0)) slices.forEach((slice) => write(slice));
 *   }),
 * ];
 */
export class StandardTilePayload implements TilePayload {
  /** The A tiles, by number. */
  readonly aTiles: readonly Tile[];
  /** The B tiles, by number. */
  readonly bTiles: readonly Tile[];

  /** Declares the tiles. */
  constructor(shapes: StandardShapes) {
    requireOptions('StandardTilePayload', STANDARD, shapes);
    const { stages: count, elementBytes = 2, slices = { a: 1, b: 1 } } = shapes;
    requireOptions('the slices of StandardTilePayload', SLICES, slices);
    const tiles = { elementBytes, count };
    this.aTiles = tileArray('a_tiles', { shape: shapes.a, ...tiles, slices: slices.a });
    this.bTiles = tileArray('b_tiles', { shape: shapes.b, ...tiles, slices: slices.b });
  }

  /** Bytes of one A tile and one B tile. */
  get bytes(): number {
    return bytesOf(this.aTiles, this.bTiles);
  }

  /** The tiles of k index `k` in a stage of `kGroupSize` of them. */
  getTile(stage: number, k = 0, kGroupSize = 1): readonly [a: Tile, b: Tile] {
    return [this.getATile(stage, k, kGroupSize), this.getBTile(stage, k, kGroupSize)];
  }

  /** The A tile alone. */
  getATile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.aTiles[stage * kGroupSize + k]!;
  }

  /** The B tile alone. */
  getBTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.bTiles[stage * kGroupSize + k]!;
  }
}
closeMembers(StandardTilePayload.prototype);

const BLOCK_SCALED = optionTable({
  ...STANDARD.values,
  /** Scale factors of A, a byte each. */
  sfa: shape,
  /** Scale factors of B, a byte each. */
  sfb: shape,
});

/** The shapes of tiles with block scales. */
export interface BlockScaledShapes extends OptionsOf<
  typeof BLOCK_SCALED,
  'a' | 'b' | 'sfa' | 'sfb' | 'stages'
> {}

/**
 * A and B tiles with their block scales: MXFP8, MXFP4, NVFP4.
 *
 * @example
 * const tiles = new BlockScaledTilePayload({
 *   a: [128, 128],
 *   b: [128, 128],
 *   sfa: [128, 4],
 *   sfb: [128, 4],
 *   stages: 1,
 * });
 * return [
 *   role('load', function* () {
 *     for (const { slices } of tiles.getTile(0)) slices.forEach((slice) => write(slice));
 *   }),
 * ];
 */
export class BlockScaledTilePayload implements TilePayload {
  readonly #tiles: StandardTilePayload;
  /** The scale factors of A, by number. */
  readonly sfaTiles: readonly Tile[];
  /** The scale factors of B, by number. */
  readonly sfbTiles: readonly Tile[];

  /** Declares the tiles. */
  constructor(shapes: BlockScaledShapes) {
    requireOptions('BlockScaledTilePayload', BLOCK_SCALED, shapes);
    const { sfa, sfb, ...standard } = shapes;
    this.#tiles = new StandardTilePayload({ elementBytes: 1, ...standard });
    const scales = { elementBytes: 1, count: shapes.stages };
    this.sfaTiles = tileArray('sfa_tiles', { shape: sfa, ...scales });
    this.sfbTiles = tileArray('sfb_tiles', { shape: sfb, ...scales });
  }

  /** Bytes of the tiles with one number. */
  get bytes(): number {
    return this.#tiles.bytes + bytesOf(this.sfaTiles, this.sfbTiles);
  }

  /** The tiles of k index `k` in a stage of `kGroupSize` of them. */
  getTile(stage: number, k = 0, kGroupSize = 1): readonly [a: Tile, b: Tile, sfa: Tile, sfb: Tile] {
    const at = [stage, k, kGroupSize] as const;
    return [...this.#tiles.getTile(...at), this.getSfaTile(...at), this.getSfbTile(...at)];
  }

  /** The A tile alone. */
  getATile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.#tiles.getATile(stage, k, kGroupSize);
  }

  /** The B tile alone. */
  getBTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.#tiles.getBTile(stage, k, kGroupSize);
  }

  /** The scale factors of A alone. */
  getSfaTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.sfaTiles[stage * kGroupSize + k]!;
  }

  /** The scale factors of B alone. */
  getSfbTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.sfbTiles[stage * kGroupSize + k]!;
  }
}
closeMembers(BlockScaledTilePayload.prototype);

const BLOCKWISE_FP8 = optionTable({
  ...STANDARD.values,
  /** 1 × BM scales of A, four bytes each; those of B are read from global memory. */
  aScales: shape,
});

/** The shapes of tiles with the scales of A. */
export interface BlockwiseFP8Shapes extends OptionsOf<
  typeof BLOCKWISE_FP8,
  'a' | 'b' | 'aScales' | 'stages'
> {}

/**
 * A and B tiles with the scales of A: blockwise FP8.
 *
 * @example
 * const tiles = new BlockwiseFP8TilePayload({
 *   a: [128, 128],
 *   b: [128, 128],
 *   aScales: [1, 128],
 *   stages: 1,
 * });
 * return [
 *   role('load', function* () {
 *     for (const { slices } of tiles.getTile(0)) slices.forEach((slice) => write(slice));
 *   }),
 * ];
 */
export class BlockwiseFP8TilePayload implements TilePayload {
  readonly #tiles: StandardTilePayload;
  /** The scales of A, by number. */
  readonly aScalesTiles: readonly Tile[];

  /** Declares the tiles. */
  constructor(shapes: BlockwiseFP8Shapes) {
    requireOptions('BlockwiseFP8TilePayload', BLOCKWISE_FP8, shapes);
    const { aScales: shape, ...standard } = shapes;
    this.#tiles = new StandardTilePayload({ elementBytes: 1, ...standard });
    const { stages: count } = shapes;
    this.aScalesTiles = tileArray('a_scales_tiles', { shape, elementBytes: 4, count });
  }

  /** Bytes of the tiles with one number. */
  get bytes(): number {
    return this.#tiles.bytes + this.aScalesTiles[0]!.bytes;
  }

  /** The tiles of k index `k` in a stage of `kGroupSize` of them. */
  getTile(stage: number, k = 0, kGroupSize = 1): readonly [a: Tile, b: Tile, aScales: Tile] {
    const at = [stage, k, kGroupSize] as const;
    return [...this.#tiles.getTile(...at), this.getAScalesTile(...at)];
  }

  /** The A tile alone. */
  getATile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.#tiles.getATile(stage, k, kGroupSize);
  }

  /** The B tile alone. */
  getBTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.#tiles.getBTile(stage, k, kGroupSize);
  }

  /** The scales of A alone. */
  getAScalesTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.aScalesTiles[stage * kGroupSize + k]!;
  }
}
closeMembers(BlockwiseFP8TilePayload.prototype);

function bytesOf(...arrays: readonly (readonly Tile[])[]): number {
  return arrays.reduce((sum, tiles) => sum + tiles[0]!.bytes, 0);
}
