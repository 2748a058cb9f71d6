// The CTAs that are executed: those of the first cluster of a grid, or of all of them.
import { volume } from '../../launch/launch.ts';
import type { Dimensions, Launch } from '../../launch/launch.ts';

/** A CTA and its place in its cluster and in the grid. */
export interface Cta {
  /** Its number among those that are executed, cluster by cluster. */
  readonly rank: number;
  /** The number of the first CTA of its cluster; ranks of the hardware count from there. */
  readonly first: number;
  /** The number of its cluster. */
  readonly cluster: number;
  /** Its position in the grid: `%ctaid`. */
  readonly id: Dimensions;
  /** Its position in the cluster: `%cluster_ctaid`. */
  readonly inCluster: Dimensions;
}

/** Positions in a box, x first. */
function positions([width, height, depth]: Dimensions): Dimensions[] {
  const all: Dimensions[] = [];
  for (let z = 0; z < depth; z++)
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) all.push([x, y, z]);
  return all;
}

/** How many clusters a grid has. */
export function clustersOf({ grid, cluster }: Launch): number {
  return volume(grid) / volume(cluster);
}

/** The places of the first clusters of a grid. */
export function firstClusters({ grid, cluster }: Launch, count: number): readonly Dimensions[] {
  const across: Dimensions = [grid[0] / cluster[0], grid[1] / cluster[1], grid[2] / cluster[2]];
  // No list is made of a large grid for one cluster.
  return count === 1 ? [[0, 0, 0]] : positions(across).slice(0, count);
}

/** The CTAs of clusters, by the places of these. */
export function ctasOf({ cluster }: Launch, places: readonly Dimensions[]): Cta[] {
  const ctas: Cta[] = [];
  const inside = positions(cluster);
  for (const [index, [x, y, z]] of places.entries()) {
    const first = ctas.length;
    for (const inCluster of inside) {
      const [dx, dy, dz] = inCluster;
      const id = [x * cluster[0] + dx, y * cluster[1] + dy, z * cluster[2] + dz] as const;
      ctas.push({ rank: ctas.length, first, cluster: index, id, inCluster });
    }
  }
  return ctas;
}
