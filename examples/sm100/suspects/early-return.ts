// Suspect: scheduler roles that return early, in all kernels but two. They are right as long as
// there is no exit barrier of the cluster, which two kernels have got since (KERN-3311).
// Why: the cluster barrier waits for every warp, and the scheduler's is gone.
// Fix: leave the role's work out and not the role, `--set returns=false`.
//
//   role       waits for                           signals
//   scheduler  the exit barrier, unless it returns
//   load, mma  the exit barrier
import { kernel, role, syncCluster } from 'poundlock';
import { WARP_SIZE } from 'poundlock/sm100';

const defaults = { clcStages: 0, returns: true };

export default kernel('early-return', defaults, ({ clcStages, returns }) => {
  const warp = { lanes: WARP_SIZE };
  const scheduler = role('scheduler', warp, function* () {
    if (clcStages === 0 && returns) return; // nothing to schedule
    yield* syncCluster();
  });
  const others = ['load', 'mma'].map((name) =>
    role(name, warp, function* () {
      yield* syncCluster();
    }),
  );
  return [scheduler, ...others];
});
