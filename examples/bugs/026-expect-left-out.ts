// The load warp arrives for its copy and never says how many bytes it brings.
// A compiler pass inserts the expectation before each copy, and a flag that was not initialized
// made it skip plain statements. The arrival alone completes the phase: the consumer multiplies a
// tile that is still on its way.
// The fix: the flag begins with true.
// https://github.com/tile-ai/tilelang/pull/241
import { arrive, asyncCopy, expectTx, kernel, mma, pipeline, role, UNITS } from 'poundlock';

const BYTES = 32_768;

export default kernel('expect-tx-rewriter', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: BYTES });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      if (fixed) expectTx(slot.mbar(), BYTES);
      asyncCopy(UNITS.tma, { into: slot.buffers, bar: slot.mbar(), bytes: BYTES });
      arrive(slot.mbar());
    }
    yield* ab.drain();
  });

  const math = role('math', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using operands = yield* ab.consume();
      mma.issue(operands);
      yield* mma.waitGroup(0);
    }
  });

  return [load, math];
});
