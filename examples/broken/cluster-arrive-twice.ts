// Bug: the MMA role arrives at the cluster barrier for its prologue and, without a wait between,
// again for its end.
// On hardware: a thread that arrives twice without barrier.cluster.wait between has undefined
// behavior: the other CTAs hang, or pass while this one still works.
// Fix: every arriveCluster() gets its waitCluster() before the next one.
import { arriveCluster, kernel, role, waitCluster } from 'poundlock';

export default kernel('cluster-arrive-twice', { waits: false }, ({ waits }) => {
  const multiply = role('mma', { cta: 0 }, function* () {
    arriveCluster();
    if (waits) yield* waitCluster();
    arriveCluster();
    yield* waitCluster();
  });

  const peer = role('peer', { cta: 1 }, function* () {
    for (let meeting = 0; meeting < 2; meeting++) {
      arriveCluster();
      yield* waitCluster();
    }
  });

  return [multiply, peer];
});
