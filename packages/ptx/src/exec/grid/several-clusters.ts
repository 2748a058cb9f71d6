// Clusters of several blocks that are executed together: what is not known of them.
import type { Execution } from '../machine/execute.ts';

const ENDED =
  'a thread has ended before others of its cluster meet, where clusters are executed together';
const FENCE =
  'a fence at the scope of a cluster orders memory, where clusters are executed together';

/** Notes why clusters that are executed together are not understood. */
export function noteClusters({ machine, warps }: Execution): void {
  const { clusterSize, ctas } = machine;
  if (clusterSize === 1 || ctas === clusterSize) return;
  const byCluster = Map.groupBy(warps, ({ cta }) => cta.cluster);
  for (const all of byCluster.values()) {
    const counts = all.map(({ steps }) => steps.filter(({ op }) => op === 'clusterArrive').length);
    const most = Math.max(...counts);
    // Who has ended counts as arrived, which the barrier of each cluster is too simple for.
    const ended = all.findIndex(({ stack }, index) => stack.depth === 0 && counts[index]! < most);
    if (ended < 0) continue;
    const meeting = all[counts.indexOf(most)]!.steps.find(({ op }) => op === 'clusterArrive');
    machine.noteUndecided(meeting!.at, ENDED);
    break;
  }
  for (const { steps } of warps)
    for (const step of steps)
      if (step.op === 'fence' && step.scope === 'cluster' && step.fence !== 'mbarrier.init')
        return void machine.noteUndecided(step.at, FENCE);
}
