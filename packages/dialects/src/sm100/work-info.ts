// One output tile that a warp works on.
import { closeMembers } from '@poundlock/core/dialect';

/**
 * A tile as a scheduler returns it. The model has no coordinates: all tiles are alike.
 *
 * @example
 * import { WorkInfo } from 'poundlock/sm100';
 *
 * console.log(new WorkInfo(true).isValid()); // true
 */
export class WorkInfo {
  /** Whether there is a tile. */
  readonly isValidTile: boolean;

  /** Creates a tile, or the end of all tiles. */
  constructor(isValidTile: boolean) {
    this.isValidTile = isValidTile;
  }

  /** Whether there is a tile at all; work ends with the first that is not. */
  isValid(): boolean {
    return this.isValidTile;
  }

  /** The position of the tile in the output: always the first one. */
  coord(): readonly [m: number, n: number] {
    return [0, 0];
  }
}
closeMembers(WorkInfo.prototype);
