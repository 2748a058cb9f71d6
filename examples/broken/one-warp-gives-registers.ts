// Bug: only the warp that loads gives its registers back, and not the other three of its warpgroup.
// On hardware: all warps of a warpgroup must execute setmaxnreg; otherwise its behavior is
// undefined. Mostly the math groups wait forever for the registers of the three warps.
// Fix: the warps without work execute it, too.
import { kernel, registers, role, setMaxRegisters } from 'poundlock';

export default kernel('one-warp-gives-registers', { together: false }, ({ together }) => {
  registers({ perThread: 168, threads: 384 });

  const load = role('load', { warps: 4 }, function* () {
    yield* setMaxRegisters('dec', 24, { by: together ? 'all' : { warp: 0 } });
  });
  const math = [0, 1].map((group) =>
    role(`math${group}`, { warps: 4 }, function* () {
      yield* setMaxRegisters('inc', 240);
    }),
  );

  return [load, ...math];
});
