// The barriers of clusters, at which all warps of a cluster meet that have not exited. The PTX ISA
// says so of `barrier.cluster.wait`: it waits "for all non-exited threads of the cluster".
import type { Warp } from '../warp/warp.ts';

/** Whether all that a warp waits for at the barrier of its cluster have arrived or exited. */
export function meetsCluster({ machine, cta, progress: { clusterRounds } }: Warp): boolean {
  return machine.warps.every((other) => {
    if (other.cta.cluster !== cta.cluster || other.progress.clusterRounds >= clusterRounds)
      return true;
    return other.live === 0;
  });
}

/** How far live warps are ahead of others at these barriers, as a text that equal states share. */
export function clusterText(warps: readonly Warp[]): string {
  const rounds = warps.map(({ live, progress }) =>
    live === 0 ? Infinity : progress.clusterRounds,
  );
  const least = Math.min(...rounds);
  return rounds.map((each) => each - least).join();
}
