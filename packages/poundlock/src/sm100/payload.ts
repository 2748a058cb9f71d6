// What a stage of the input pipeline holds: the tiles of A and B, with their scales.
import { tileArray, type Tile } from './tile.ts';

/** Marks what a tile pipeline can carry: tiles by number, `bytes` for each number. */
export interface TilePayload {
  /** Bytes of the tiles with one number: what one k step brings into one CTA. */
  readonly bytes: number;
}

type Shape = readonly [rows: number, columns: number];

export interface StandardShapes {
  /** BM × BK and BN × BK. */
  readonly a: Shape;
  readonly b: Shape;
  /** Tiles of each kind: the pipeline's stages times its `kGroupSize`. */
  readonly stages: number;
  /** Bytes of an element of A and B: 2 unless given. */
  readonly elementBytes?: number;
  /** CTAs that share the loading of a tile; 1 unless given. */
  readonly slices?: { readonly a: number; readonly b: number };
}

/** A and B tiles of a standard matmul. */
export class StandardTilePayload implements TilePayload {
  readonly aTiles: readonly Tile[];
  readonly bTiles: readonly Tile[];

  constructor(shapes: StandardShapes) {
    const { stages: count, elementBytes = 2, slices = { a: 1, b: 1 } } = shapes;
    const tiles = { elementBytes, count };
    this.aTiles = tileArray('a_tiles', { shape: shapes.a, ...tiles, slices: slices.a });
    this.bTiles = tileArray('b_tiles', { shape: shapes.b, ...tiles, slices: slices.b });
  }

  get bytes(): number {
    return bytesOf(this.aTiles, this.bTiles);
  }

  /** The tiles of k index `k` in a stage of `kGroupSize` of them. */
  getTile(stage: number, k = 0, kGroupSize = 1): readonly [a: Tile, b: Tile] {
    return [this.getATile(stage, k, kGroupSize), this.getBTile(stage, k, kGroupSize)];
  }

  getATile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.aTiles[stage * kGroupSize + k]!;
  }

  getBTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.bTiles[stage * kGroupSize + k]!;
  }
}

export interface BlockScaledShapes extends StandardShapes {
  /** Scale factors of A and B, a byte each. */
  readonly sfa: Shape;
  readonly sfb: Shape;
}

/** A and B tiles with their block scales: MXFP8, MXFP4, NVFP4. */
export class BlockScaledTilePayload implements TilePayload {
  readonly #tiles: StandardTilePayload;
  readonly sfaTiles: readonly Tile[];
  readonly sfbTiles: readonly Tile[];

  constructor(shapes: BlockScaledShapes) {
    this.#tiles = new StandardTilePayload({ elementBytes: 1, ...shapes });
    const scales = { elementBytes: 1, count: shapes.stages };
    this.sfaTiles = tileArray('sfa_tiles', { shape: shapes.sfa, ...scales });
    this.sfbTiles = tileArray('sfb_tiles', { shape: shapes.sfb, ...scales });
  }

  get bytes(): number {
    return this.#tiles.bytes + bytesOf(this.sfaTiles, this.sfbTiles);
  }

  getTile(stage: number, k = 0, kGroupSize = 1): readonly [a: Tile, b: Tile, sfa: Tile, sfb: Tile] {
    const at = [stage, k, kGroupSize] as const;
    return [...this.#tiles.getTile(...at), this.getSfaTile(...at), this.getSfbTile(...at)];
  }

  getATile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.#tiles.getATile(stage, k, kGroupSize);
  }

  getBTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.#tiles.getBTile(stage, k, kGroupSize);
  }

  getSfaTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.sfaTiles[stage * kGroupSize + k]!;
  }

  getSfbTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.sfbTiles[stage * kGroupSize + k]!;
  }
}

export interface BlockwiseFP8Shapes extends StandardShapes {
  /** 1 × BM scales of A, four bytes each; those of B are read from global memory. */
  readonly aScales: Shape;
}

/** A and B tiles with the scales of A: blockwise FP8. */
export class BlockwiseFP8TilePayload implements TilePayload {
  readonly #tiles: StandardTilePayload;
  readonly aScalesTiles: readonly Tile[];

  constructor(shapes: BlockwiseFP8Shapes) {
    this.#tiles = new StandardTilePayload({ elementBytes: 1, ...shapes });
    const { aScales: shape, stages: count } = shapes;
    this.aScalesTiles = tileArray('a_scales_tiles', { shape, elementBytes: 4, count });
  }

  get bytes(): number {
    return this.#tiles.bytes + this.aScalesTiles[0]!.bytes;
  }

  getTile(stage: number, k = 0, kGroupSize = 1): readonly [a: Tile, b: Tile, aScales: Tile] {
    const at = [stage, k, kGroupSize] as const;
    return [...this.#tiles.getTile(...at), this.getAScalesTile(...at)];
  }

  getATile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.#tiles.getATile(stage, k, kGroupSize);
  }

  getBTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.#tiles.getBTile(stage, k, kGroupSize);
  }

  getAScalesTile(stage: number, k = 0, kGroupSize = 1): Tile {
    return this.aScalesTiles[stage * kGroupSize + k]!;
  }
}

function bytesOf(...arrays: readonly (readonly Tile[])[]): number {
  return arrays.reduce((sum, tiles) => sum + tiles[0]!.bytes, 0);
}
