// The answer of the cluster launch control is written to both CTAs and counts its bytes in both,
// and only CTA 0 expects them.
// try_cancel with multicast::cluster::all signals the barrier of each CTA in its own shared memory.
// The expectation, which is also the arrival, was under a predicate for CTA 0: in CTA 1 the phase
// gets bytes and no arrival, and all CTAs of odd rank hang.
// The fix: in a cluster every CTA expects the bytes on its own barrier, and waits there.
// https://github.com/facebookexperimental/triton/pull/908
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

export default kernel('clc-multicast', { fixed: false, items: 2 }, ({ fixed, items }) => {
  const full = barrier('full');
  const empty = barrier('empty', { count: CLUSTER.length });
  const answer = cell('answer');

  const producer = (cta: number) =>
    role(`producer${cta}`, { cta }, function* () {
      for (let item = 0; item < items; item++) {
        if (cta === 0) yield* wait(empty, item - 1);
        else if (item > 0) yield* wait(full, item - 1);
        if (cta === 0 || fixed) arrive(full, { bytes: BYTES });
        if (cta > 0) continue;
        const response = { into: [], cell: answer, value: item, bar: full, bytes: BYTES };
        asyncCopy(UNITS.clc, { ...response, ctas: CLUSTER });
      }
      yield* syncCluster();
    });

  const consumer = (cta: number) =>
    role(`consumer${cta}`, { cta }, function* () {
      for (let item = 0; item < items; item++) {
        yield* wait(full, item);
        yield* load(answer);
        arrive(empty, { cta: 0 });
      }
      yield* syncCluster();
    });

  return CLUSTER.flatMap((cta) => [producer(cta), consumer(cta)]);
});
