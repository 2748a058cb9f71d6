// Blocks of a launch that are executed alone, because the user asks for them.
import { InputError } from '@poundlock/core/internal/base';
import type { Block } from '@poundlock/core/internal/program';
import { clustersAcross } from '../exec/origins/classes.ts';
import { volume } from '../launch/launch.ts';
import type { Dimensions, Launch } from '../launch/launch.ts';
import type { LaunchFile } from '../launch/read-launch.ts';
import type { PtxFunction } from '../text/module.ts';
import type { ClassRun } from './executed-clusters.ts';
import type { PtxKernelOptions } from './kernel.ts';

/** The most clusters that are executed together. */
const MAX_CLUSTERS = 2;

/**
 * The clusters of the blocks that are asked for; `undefined`: none are.
 *
 * @throws InputError for blocks that the grid does not have, or for too many of them.
 */
export function aloneIn(
  file: LaunchFile,
  entry: PtxFunction,
  { blocks, launchIndex = 0 }: PtxKernelOptions,
): ClassRun | undefined {
  if (blocks === undefined) return undefined;
  const launch = file.launch(launchIndex, entry, {});
  const across = clustersAcross(launch);
  const numbers = new Map<number, Dimensions>();
  for (const block of blocks) {
    const [x, y, z] = placeIn(block, launch);
    numbers.set(x + across[0] * (y + across[1] * z), [x, y, z]);
  }
  if (numbers.size === 0 || numbers.size > MAX_CLUSTERS)
    throw new InputError(`one block is executed alone, or two, not ${numbers.size}`);
  const { grid, cluster } = launch;
  const alone = {
    blocks: [...numbers.values()].map(([x, y, z]): Block => [
      x * cluster[0],
      y * cluster[1],
      z * cluster[2],
    ]),
    clusters: [...numbers.keys()],
    total: volume(grid),
    clusterSize: volume(cluster),
  };
  return { places: [...numbers.values()], decided: [], touched: [], alone };
}

/** The place of the cluster of a block. */
function placeIn(block: Block, { grid, cluster, file }: Launch): Dimensions {
  const isIn = block.every(
    (at, axis) => Number.isInteger(at) && at >= 0 && at < grid[axis as 0 | 1 | 2],
  );
  if (block.length === 3 && isIn) {
    const [x, y, z] = block.map((at, axis) => Math.floor(at / cluster[axis as 0 | 1 | 2]));
    return [x!, y!, z!];
  }
  throw new InputError(
    `the grid of ${file} has ${grid.join(' × ')} blocks: there is no block ${block.join()}`,
  );
}
