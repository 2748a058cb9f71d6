// A pair of register counts that fits three warpgroups is given to four.
// TileLang put setmaxnreg 24 and 240 into every warp-specialized kernel, made for one producer and
// two consumer warpgroups: 24 + 2 x 240 = 504. With one more consumer it is 744 of 512 for each
// lane, and the second increase waits for good (a hang on consumer Blackwell; with two producers
// and two consumers the same, 528 of 512).
// The fix: counts by layout, 24 and 160 for this one; a layout that is not listed gets none.
// https://github.com/tile-ai/tilelang/pull/2406
import { kernel, mma, pipeline, registers, role, setMaxRegisters, tma } from 'poundlock';

const CONSUMERS = 3;
const THREADS = 128 * (1 + CONSUMERS);

export default kernel('gemm-1p3c', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  registers({ perThread: 65_536 / THREADS, threads: THREADS });
  const ab = pipeline('ab', { stages: 2, bytes: 32_768, consumers: CONSUMERS });

  const producer = role('producer', { warps: 4 }, function* () {
    yield* setMaxRegisters('dec', 24);
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const consumer = (group: number) =>
    role(`consumer${group}`, { warps: 4 }, function* () {
      yield* setMaxRegisters('inc', fixed ? 160 : 240);
      for (let tile = 0; tile < tiles; tile++) {
        using operands = yield* ab.consumeExplicit();
        mma.issue(operands);
        yield* mma.waitGroup(0);
        operands.arrive({ lanes: 1 });
      }
    });

  return [producer, ...Array.from({ length: CONSUMERS }, (_, group) => consumer(group))];
});
