// The phase of a ring is k / stages, and the loop does not begin with k = 0.
// The warp-specialized rewriter took the loop variable for the number of the round. Where the loop
// begins at the first stage of the second lap, the consumer waits for phase 1 of a fresh barrier,
// which looks as if it had completed.
// The fix: subtract where the loop begins.
// https://github.com/tile-ai/tilelang/pull/754
import { arrive, asyncCopy, barrier, buffer, kernel, read, role, UNITS, wait } from 'poundlock';

const BYTES = 16_384;

const defaults = { fixed: false, stages: 2, first: 2, last: 5 };

export default kernel('loop-from-two', defaults, ({ fixed, stages, first, last }) => {
  const ring = Array.from({ length: stages }, (_, s) => ({
    full: barrier(`full[${s}]`),
    empty: barrier(`empty[${s}]`),
    keys: buffer(`keys[${s}]`),
  }));
  const stageOf = (k: number) => ring[k % stages]!;
  const phaseOf = (k: number) => Math.floor((fixed ? k - first : k) / stages);

  const producer = role('producer', function* () {
    for (let k = first; k < last; k++) {
      const { full, empty, keys } = stageOf(k);
      yield* wait(empty, phaseOf(k) - 1);
      arrive(full, { bytes: BYTES });
      asyncCopy(UNITS.tma, { into: [keys], bar: full, bytes: BYTES });
    }
  });

  const consumer = role('consumer', function* () {
    for (let k = first; k < last; k++) {
      const { full, empty, keys } = stageOf(k);
      yield* wait(full, phaseOf(k));
      read(keys);
      arrive(empty);
    }
  });

  return [producer, consumer];
});
