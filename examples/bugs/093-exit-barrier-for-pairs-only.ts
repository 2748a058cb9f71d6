// A compiler syncs the cluster before the end of a kernel with paired MMAs, and other kernels with
// a cluster get no such barrier.
// Cluster launch control gives an SM to new work as soon as a CTA has left, so that an access to
// the shared memory of that CTA fails (cluster target block not present). Modeled here: work items
// that are read in both CTAs and released in CTA 0, which asks for them.
// The fix: the barrier for every kernel with more than one CTA in its cluster.
// https://github.com/facebookexperimental/triton/pull/1105
import {
  arrive,
  asyncCopy,
  barrier,
  cell,
  kernel,
  load,
  role,
  syncCluster,
  UNITS,
  wait,
} from 'poundlock';

const BYTES = 16;
const CLUSTER = [0, 1];
const HAS_PAIRED_MMA = false;

export default kernel('clustered-clc', { fixed: false, items: 2 }, ({ fixed, items }) => {
  const full = barrier('full');
  const empty = barrier('empty', { count: CLUSTER.length }); // the one of CTA 0 is used
  const answer = cell('answer');
  const syncsAtExit = fixed ? CLUSTER.length > 1 : HAS_PAIRED_MMA;

  const scheduler = role('scheduler', { cta: 0 }, function* () {
    for (let item = 0; item < items; item++) {
      yield* wait(empty, item - 1);
      arrive(full, { bytes: BYTES, ctas: CLUSTER });
      const response = { into: [], cell: answer, value: item, bar: full, bytes: BYTES };
      asyncCopy(UNITS.clc, { ...response, ctas: CLUSTER });
    }
    if (syncsAtExit) yield* syncCluster();
  });

  const worker = (cta: number) =>
    role(`worker${cta}`, { cta }, function* () {
      for (let item = 0; item < items; item++) {
        yield* wait(full, item);
        yield* load(answer);
        arrive(empty, { cta: 0 });
      }
      if (syncsAtExit) yield* syncCluster();
    });

  return [scheduler, ...CLUSTER.map(worker)];
});
