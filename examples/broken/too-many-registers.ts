// Bug: a kernel of four warpgroups has 128 registers for each thread. Its load group goes down to
// 32, and three math groups go up to 240 each.
// On hardware: setmaxnreg.inc waits until the registers are free. The launch gave 4 × 128 = 512 for
// each thread of a group, and 32 + 3 × 240 = 752 are asked for: the math groups wait forever.
// Fix: numbers whose sum is what the launch gives: 32 + 3 × 160 = 512.
import { kernel, registers, role, setMaxRegisters } from 'poundlock';

export default kernel('too-many-registers', { each: 240 }, ({ each }) => {
  registers({ perThread: 128, threads: 512 });

  const load = role('load', { warps: 4 }, function* () {
    yield* setMaxRegisters('dec', 32);
  });
  const math = [0, 1, 2].map((group) =>
    role(`math${group}`, { warps: 4 }, function* () {
      yield* setMaxRegisters('inc', each);
    }),
  );

  return [load, ...math];
});
