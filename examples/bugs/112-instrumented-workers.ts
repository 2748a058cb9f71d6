// A sanitizer makes the workers of a kernel too big to give registers back.
// Triton's warp specialization takes registers from the worker partitions and gives them to the
// default one. With the calls of GSan in them the workers need more than was planned, ptxas could
// not lower their count, and the default partition waited in USETMAXREG.TRY_ALLOC for good. (The
// numbers are modeled.)
// The fix: an attribute that turns the changes off in instrumented kernels. ConSan followed later.
// https://github.com/triton-lang/triton/pull/9786
import { kernel, mma, pipeline, registers, role, setMaxRegisters, tma } from 'poundlock';

const sizes = { fixed: false, instrumented: true, tiles: 2 };

export default kernel('ws-instrumented', sizes, ({ fixed, instrumented, tiles }) => {
  const changes = !(instrumented && fixed);
  registers({ perThread: 128, threads: 256 });
  const ab = pipeline('ab', { stages: 2, bytes: 32_768 });

  const workers = role('workers', { warps: 4 }, function* () {
    if (changes && !instrumented) yield* setMaxRegisters('dec', 24);
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const standard = role('default', { warps: 4 }, function* () {
    if (changes) yield* setMaxRegisters('inc', 232);
    for (let tile = 0; tile < tiles; tile++) {
      using operands = yield* ab.consumeExplicit();
      mma.issue(operands);
      yield* mma.waitGroup(0);
      operands.arrive({ lanes: 1 });
    }
  });

  return [workers, standard];
});
