// A cluster barrier that passes the news of a CTA on does so at CTA scope.
// GEMM with A by TMA and B by cp.async, and an MMA of two CTAs that reads both shared memories.
// cp.async can signal barriers of its own CTA only, so in each CTA a warp waits there and arrives
// at a ClusterBarrier of the leader. Both operations of that barrier have CTA scope: the leader may
// see it complete before what the other CTA copied.
// The fix that the thread asks for: release and acquire of ClusterBarrier at cluster scope.
// https://github.com/NVIDIA/cutlass/issues/3324
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  role,
  signalWhenDone,
  syncCluster,
  UNITS,
  wait,
} from 'poundlock';

const CLUSTER = [0, 1];
const LEADER = 0;
const BYTES_A = 16_384;

export default kernel('mixed-tma-cpasync', { fixed: false, kTiles: 2 }, ({ fixed, kTiles }) => {
  const scope = fixed ? 'cluster' : 'cta';
  const [sA, sB] = [buffer('sA'), buffer('sB')];
  const acc = buffer('acc', { space: 'tmem' });
  const fullA = barrier('fullA');
  const copiedB = barrier('copiedB'); // of each CTA
  const fullB = barrier('fullB', { count: CLUSTER.length }); // the ClusterBarrier of the leader
  const empty = barrier('empty');

  const loadA = (cta: number) =>
    role(`loadA${cta}`, { cta }, function* () {
      for (let k = 0; k < kTiles; k++) {
        yield* wait(empty, k - 1);
        if (cta === LEADER) arrive(fullA, { bytes: BYTES_A * CLUSTER.length });
        asyncCopy(UNITS.tma, { into: [sA], bar: fullA, bytes: BYTES_A, ctaGroup: 2 });
      }
      yield* wait(empty, kTiles - 1);
      yield* syncCluster();
    });

  const loadB = (cta: number) =>
    role(`loadB${cta}`, { cta }, function* () {
      for (let k = 0; k < kTiles; k++) {
        yield* wait(empty, k - 1);
        asyncCopy(UNITS.cpAsync, { into: [sB] });
        signalWhenDone(UNITS.cpAsync, copiedB, { noInc: true });
      }
      yield* syncCluster();
    });

  const trampoline = (cta: number) =>
    role(`trampoline${cta}`, { cta }, function* () {
      for (let k = 0; k < kTiles; k++) {
        yield* wait(copiedB, k);
        fence('proxy.async', { space: 'shared' });
        arrive(fullB, { cta: LEADER, scope });
      }
      yield* syncCluster();
    });

  const mma = role('mma', { cta: LEADER }, function* () {
    for (let k = 0; k < kTiles; k++) {
      yield* wait(fullA, k);
      yield* wait(fullB, k, { scope });
      asyncUse(UNITS.tcgen05, { reads: [sA, sB], writes: [acc], ctas: CLUSTER });
      commit(UNITS.tcgen05, empty, { ctas: CLUSTER });
    }
    yield* syncCluster();
  });

  return [...CLUSTER.flatMap((cta) => [loadA(cta), loadB(cta), trampoline(cta)]), mma];
});
