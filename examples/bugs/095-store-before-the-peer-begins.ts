// Each CTA stores into the shared memory of its peer as the first thing that it does.
// That the store comes before the load of the peer is ordered, by a cluster barrier after it. That
// the peer has begun, and has initialized the memory, is ordered by nothing: its late
// initialization overwrites what was stored, or the store reaches a CTA that does not run yet.
// The fix: a cluster barrier before the store, too.
// https://github.com/facebookexperimental/triton/pull/2292
import { buffer, kernel, launch, read, role, syncCluster, write } from 'poundlock';

export default kernel('remote-store', { fixed: false }, ({ fixed }) => {
  launch({ begin: 'apart' });
  const received = buffer('received', { bytes: 4 });

  const program = (cta: number) =>
    role(`program${cta}`, { cta, lanes: 128 }, function* () {
      if (fixed) yield* syncCluster();
      write(received, { cta: 1 - cta });
      yield* syncCluster();
      read(received);
    });

  return [program(0), program(1)];
});
