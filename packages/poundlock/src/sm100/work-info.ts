// One output tile that a warp works on.

/** A tile as a scheduler hands it out. The model has no coordinates: all tiles are alike. */
export class WorkInfo {
  readonly isValidTile: boolean;

  constructor(isValidTile: boolean) {
    this.isValidTile = isValidTile;
  }

  /** Whether there is a tile at all; work ends with the first that is not. */
  isValid(): boolean {
    return this.isValidTile;
  }

  /** Where the tile is in the output: always the first one. */
  coord(): readonly [m: number, n: number] {
    return [0, 0];
  }
}
