// The tasks of CTA 1 signal their own barrier when they have read a work item, and CTA 0, which
// asks for the next one, waits for the tasks of both.
// Cluster launch control with two CTAs: CTA 0 asks for an item, and the answer goes to both CTAs.
// The thread says that the kernel deadlocks with several CTAs, and that the consumers are the tasks
// times the CTAs. Modeled here: the release of an item that stays in its CTA.
// The fix here: every task signals CTA 0.
// https://github.com/facebookexperimental/triton/pull/762
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
const TASKS = ['load', 'mma', 'epilogue'];

export default kernel('clc-context', { fixed: false, items: 2 }, ({ fixed, items }) => {
  const full = barrier('full');
  const empty = barrier('empty', { count: TASKS.length * CLUSTER.length });
  const response = cell('response');

  const scheduler = role('scheduler', { cta: 0 }, function* () {
    for (let item = 0; item < items; item++) {
      yield* wait(empty, item - 1);
      arrive(full, { bytes: BYTES, ctas: CLUSTER });
      const answer = { into: [], cell: response, value: item, bar: full, bytes: BYTES };
      asyncCopy(UNITS.clc, { ...answer, ctas: CLUSTER });
    }
    yield* syncCluster();
  });

  const task = (name: string, cta: number) =>
    role(`${name}${cta}`, { cta }, function* () {
      for (let item = 0; item < items; item++) {
        yield* wait(full, item);
        yield* load(response);
        arrive(empty, { cta: fixed ? 0 : cta });
      }
      yield* syncCluster();
    });

  return [scheduler, ...CLUSTER.flatMap((cta) => TASKS.map((name) => task(name, cta)))];
});
