// Warning: of 504 registers for each thread of three warpgroups the roles use 488 after their
// changes.
// On hardware: registers that no role takes stay free until the CTA ends. The math groups spill
// more than they have to.
// Fix: 240 for each math group: 24 + 2 × 240 = 504.
import { kernel, registers, role, setMaxRegisters } from 'poundlock';

export default kernel('registers-left', { each: 232 }, ({ each }) => {
  registers({ perThread: 168, threads: 384 });

  const load = role('load', { warps: 4 }, function* () {
    yield* setMaxRegisters('dec', 24);
  });
  const math = [0, 1].map((group) =>
    role(`math${group}`, { warps: 4 }, function* () {
      yield* setMaxRegisters('inc', each);
    }),
  );

  return [load, ...math];
});
