// Bug: CTA 0 writes into the shared memory of CTA 1 as soon as it starts.
// On hardware: the CTAs of a cluster are launched together, and none of them knows that another one
// has begun. What is written to its shared memory before that is undefined.
// Fix: a cluster barrier before the first access (barrier.cluster.arrive and wait).
import { buffer, kernel, launch, read, role, syncCluster, write } from 'poundlock';

export default kernel('early-remote-write', { synced: false }, ({ synced }) => {
  launch({ begin: 'apart' });
  const halo = buffer('halo');

  const send = role('send', { cta: 0 }, function* () {
    if (synced) yield* syncCluster();
    write(halo, { cta: 1 });
    yield* syncCluster();
  });

  const receive = role('receive', { cta: 1 }, function* () {
    if (synced) yield* syncCluster();
    yield* syncCluster();
    read(halo);
  });

  return [send, receive];
});
