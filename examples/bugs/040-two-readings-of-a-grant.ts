// Roles decode the same work item by a boundary that is still being written, and some retire.
// A grouped GEMM reads the boundaries of its groups from global memory, and begins while the kernel
// before it still writes them. Load and scheduler wait for that kernel first; MMA and epilogue do
// not. In every CTA of the dumps they took a valid item for the end and were gone, and the load
// warp waits for a stage that MMA never releases.
// The fix in the thread: launch without overlap. Here: MMA waits as the others do.
// https://github.com/marin-community/marin/issues/8870
import {
  arrive,
  barrier,
  cell,
  kernel,
  load,
  mma,
  pipeline,
  role,
  store,
  tma,
  wait,
} from 'poundlock';

export default kernel('grouped-gemm', { fixed: false, grants: 2 }, ({ fixed, grants }) => {
  const boundary = cell('boundary'); // items from here on are no work
  const dependency = barrier('dependency'); // the kernel before has ended
  const ring = pipeline('ring', { stages: 2, consumers: 2 });
  const ab = pipeline('ab', { stages: 1, bytes: 32_768 });

  const before = role('kernelBefore', function* () {
    store(boundary, grants);
    arrive(dependency);
  });

  const scheduler = role('scheduler', function* () {
    yield* wait(dependency, 0);
    for (let grant = 1; grant <= grants; grant++) {
      using slot = yield* ring.produce();
      slot.arrive();
    }
    yield* ring.drain();
  });

  const isWork = function* (grant: number) {
    if (grant === 0) return grant < (yield* load(boundary)); // the first item has no grant
    using _item = yield* ring.consume();
    return grant < (yield* load(boundary));
  };

  const loadWarp = role('load', function* () {
    yield* wait(dependency, 0);
    for (let grant = 0; yield* isWork(grant); grant++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    if (fixed) yield* wait(dependency, 0);
    for (let grant = 0; yield* isWork(grant); grant++) {
      using operands = yield* ab.consumeExplicit();
      mma.issue(operands);
      mma.commit(operands.mbar());
    }
  });

  return [before, scheduler, loadWarp, multiply];
});
