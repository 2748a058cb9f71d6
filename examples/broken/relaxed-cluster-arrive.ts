// Bug: CTA 0 initializes a barrier that CTA 1 signals, and the cluster barrier between them has a
// relaxed arrive, with no fence for the initialization before it.
// On hardware: a relaxed arrive orders no memory. CTA 1 can signal a word that is not a barrier
// yet: the arrival is lost, and the wait hangs.
// Fix: fence('mbarrier.init') after the initialization (fence.mbarrier_init.release.cluster), or an
// arrive that releases, which is the default of barrier.cluster.arrive.
import {
  arrive,
  arriveCluster,
  barrier,
  fence,
  init,
  kernel,
  role,
  wait,
  waitCluster,
} from 'poundlock';

export default kernel('relaxed-cluster-arrive', { fenced: false }, ({ fenced }) => {
  const ready = barrier('ready', { count: 0 });

  const setup = role('setup', { cta: 0 }, function* () {
    init(ready, 1);
    if (fenced) fence('mbarrier.init');
    arriveCluster({ sem: 'relaxed' });
    yield* waitCluster();
    yield* wait(ready, 0, { scope: 'cluster' });
  });

  const worker = role('worker', { cta: 1 }, function* () {
    arriveCluster({ sem: 'relaxed' });
    yield* waitCluster();
    arrive(ready, { cta: 0, scope: 'cluster' });
  });

  return [setup, worker];
});
