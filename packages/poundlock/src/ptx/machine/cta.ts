// A CTA of the cluster that is executed.
import type { Dimensions } from '../launch/launch.ts';

/** Its place in the cluster and in the grid. */
export interface Cta {
  /** Its rank in the cluster. */
  readonly rank: number;
  /** Its position in the grid: `%ctaid`. */
  readonly id: Dimensions;
  /** Its position in the cluster: `%cluster_ctaid`. */
  readonly inCluster: Dimensions;
}

/** The CTAs of the first cluster of a grid. */
export function clusterOf(cluster: Dimensions): Cta[] {
  const ctas: Cta[] = [];
  for (let z = 0; z < cluster[2]; z++)
    for (let y = 0; y < cluster[1]; y++)
      for (let x = 0; x < cluster[0]; x++)
        ctas.push({ rank: ctas.length, id: [x, y, z], inCluster: [x, y, z] });
  return ctas;
}
