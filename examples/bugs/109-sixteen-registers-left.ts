// The register counts of the roles do not add up to what the launch gave.
// A GEMM on H800 with three warpgroups: the producer goes down to 24, two consumers go up to 232.
// With __launch_bounds__(384, 1) every thread starts with 168, and the kernel hung at the increase.
// The answer: 232 x 2 + 24 is not 168 x 3. By that sum 16 registers of each lane are left over, so
// the model can not show the hang; it shows what the answer says, that the counts do not fit.
// The fix: the producer goes down to 40.
// https://github.com/NVIDIA/cutlass/issues/2007
import { kernel, mma, pipeline, registers, role, setMaxRegisters, tma } from 'poundlock';

const CONSUMERS = 2;

export default kernel('gemm-192x128', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  registers({ perThread: 168, threads: 384 });
  const ab = pipeline('ab', { stages: 2, bytes: 40_960, consumers: CONSUMERS });

  const producer = role('producer', { warps: 4 }, function* () {
    yield* setMaxRegisters('dec', fixed ? 40 : 24);
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const consumer = (group: number) =>
    role(`consumer${group}`, { warps: 4 }, function* () {
      yield* setMaxRegisters('inc', 232);
      for (let tile = 0; tile < tiles; tile++) {
        using operands = yield* ab.consumeExplicit();
        mma.issue(operands);
        yield* mma.waitGroup(0);
        operands.arrive({ lanes: 1 });
      }
    });

  return [producer, ...Array.from({ length: CONSUMERS }, (_, group) => consumer(group))];
});
