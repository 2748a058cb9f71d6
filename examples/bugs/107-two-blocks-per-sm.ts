// Two CTAs are to share a multiprocessor, and each asks for registers as if it were alone.
// TileLang again: annotate_min_blocks_per_sm(2) halves the registers of the launch, and the
// compiler still emits setmaxnreg 24 and 240 for one producer and two consumer warpgroups. With 384
// threads, twice on a multiprocessor, each thread starts with 80: 24 + 2 x 240 of 240. The kernel
// hangs at its launch, each time. The correction for wider layouts (number 106) counts threads and
// not CTAs.
// The thread is open. Here the fix is what that correction does with other layouts: no setmaxnreg.
// https://github.com/tile-ai/tilelang/issues/2559
import { kernel, mma, pipeline, registers, role, setMaxRegisters, tma } from 'poundlock';

const CONSUMERS = 2;
const THREADS = 128 * (1 + CONSUMERS);
const sizes = { fixed: false, blocksPerSm: 2, tiles: 2 };

export default kernel('gemm-min-blocks', sizes, ({ fixed, blocksPerSm, tiles }) => {
  const changes = blocksPerSm === 1 || !fixed;
  const most = Math.floor(65_536 / (THREADS * blocksPerSm));
  registers({ perThread: most - (most % 8), threads: THREADS });
  const ab = pipeline('ab', { stages: 2, bytes: 32_768, consumers: CONSUMERS });

  const producer = role('producer', { warps: 4 }, function* () {
    if (changes) yield* setMaxRegisters('dec', 24);
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const consumer = (group: number) =>
    role(`consumer${group}`, { warps: 4 }, function* () {
      if (changes) yield* setMaxRegisters('inc', 240);
      for (let tile = 0; tile < tiles; tile++) {
        using operands = yield* ab.consumeExplicit();
        mma.issue(operands);
        yield* mma.waitGroup(0);
        operands.arrive({ lanes: 1 });
      }
    });

  return [producer, ...Array.from({ length: CONSUMERS }, (_, group) => consumer(group))];
});
