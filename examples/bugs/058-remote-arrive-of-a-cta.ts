// The arrival of the peer CTA at the leader's barrier releases to its own CTA only.
// Block-scaled GEMM of two CTAs: each CTA brings its scale factors of A with cp.async, and the
// leader's tensor core copies those of both CTAs to tensor memory. The example asked for CTA scope
// where the default of a remote arrival is the cluster, so the leader can pass the wait and read
// what the peer had there before. Wrong results at larger sizes, on Thor and B200.
// The fix: the two arrivals across CTAs release at cluster scope. The thread has a second defect, a
// load that is never waited for (number 56).
// https://github.com/NVIDIA/cutlass/issues/3643
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  commitGroup,
  fence,
  kernel,
  role,
  syncCluster,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

const CLUSTER = [0, 1];
const LEADER = 0;

export default kernel('blockscaled-2cta', { fixed: false, kTiles: 2 }, ({ fixed, kTiles }) => {
  const sSFA = buffer('sSFA');
  const tSFA = buffer('tSFA', { space: 'tmem' });
  const full = barrier('sfaFull', { count: CLUSTER.length });
  const empty = barrier('sfaEmpty');

  const scales = (cta: number) =>
    role(`scales${cta}`, { cta }, function* () {
      for (let k = 0; k < kTiles; k++) {
        yield* wait(empty, k - 1);
        asyncCopy(UNITS.cpAsync, { into: [sSFA] });
        commitGroup(UNITS.cpAsync);
        yield* waitGroup(UNITS.cpAsync, 0);
        fence('proxy.async', { space: 'shared' });
        const scope = cta === LEADER || fixed ? 'cluster' : 'cta';
        arrive(full, { cta: LEADER, scope });
      }
      yield* wait(empty, kTiles - 1);
      yield* syncCluster();
    });

  const mma = role('mma', { cta: LEADER }, function* () {
    for (let k = 0; k < kTiles; k++) {
      yield* wait(full, k, { scope: 'cluster' });
      asyncUse(UNITS.tcgen05, { reads: [sSFA], writes: [tSFA], ctas: CLUSTER });
      commit(UNITS.tcgen05, empty, { ctas: CLUSTER });
    }
    yield* syncCluster();
  });

  return [...CLUSTER.map((cta) => scales(cta)), mma];
});
