// A barrier of one slot, which flips in every round, is waited for with the parity of the ring,
// which flips once for a lap.
// A synchronous GEMM in a pipelined loop signals a barrier of the user and waits for it. The parity
// of that wait was (k / stages) % 2. In round 1 it names the phase that round 0 completed: the wait
// passes at once, and the copy of the next round overwrites a stage that the MMA still reads.
// The fix: the parity of this barrier is k % 2.
// https://github.com/tile-ai/tilelang/pull/3087
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  role,
  UNITS,
  waitParity,
} from 'poundlock';

const BYTES = 16_384;

const defaults = { fixed: false, stages: 3, steps: 5 };

export default kernel('pipelined-gemm', defaults, ({ fixed, stages, steps }) => {
  const ring = Array.from({ length: stages }, (_, s) => ({
    full: barrier(`full[${s}]`),
    operands: buffer(`ab[${s}]`),
  }));
  const done = barrier('done'); // the barrier that the user passes to the GEMM
  const lapOf = (k: number) => Math.floor(k / stages) % 2;

  const load = (k: number) => {
    if (k >= steps) return;
    const { full, operands } = ring[k % stages]!;
    arrive(full, { bytes: BYTES });
    asyncCopy(UNITS.tma, { into: [operands], bar: full, bytes: BYTES });
  };

  const block = role('block', function* () {
    for (let k = 0; k < stages - 1; k++) load(k);
    for (let k = 0; k < steps; k++) {
      const { full, operands } = ring[k % stages]!;
      load(k + stages - 1); // into the stage of the round before
      yield* waitParity(full, lapOf(k));
      asyncUse(UNITS.mma, { reads: [operands] });
      commit(UNITS.mma, done);
      yield* waitParity(done, fixed ? k % 2 : lapOf(k));
    }
  });

  return [block];
});
