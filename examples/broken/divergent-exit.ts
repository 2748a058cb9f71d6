// Bug: the peer CTA has no tile and returns, and the leader meets it at the cluster barrier.
// On hardware: barrier.cluster waits for every thread of the cluster that has not exited; whether
// the leader hangs or continues after its peer's shared memory is gone depends on timing.
// Fix: a role with nothing to do still goes to the cluster barrier.
import { kernel, role, syncCluster } from 'poundlock';

export default kernel('divergent-exit', { tiles: 1 }, ({ tiles }) => {
  const leader = role('leader', { cta: 0 }, function* () {
    yield* syncCluster();
  });

  const peer = role('peer', { cta: 1 }, function* () {
    if (tiles < 2) return; // no tile for this CTA
    yield* syncCluster();
  });

  return [leader, peer];
});
