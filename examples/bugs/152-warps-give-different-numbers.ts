// Warps of one warpgroup have different roles, and each gives back registers for its own: 72 are
// left for two of them, and 24 for the others. The fix: one instruction for the whole warpgroup.
// https://github.com/mlc-ai/TIRx-kernels/pull/53
import { kernel, registers, role, setMaxRegisters } from 'poundlock';

export default kernel('gdn-prefill', { fixed: false }, ({ fixed }) => {
  registers({ perThread: 168, threads: 128 });
  return [
    role('third warpgroup', { warps: 4 }, function* () {
      if (fixed) yield* setMaxRegisters('dec', 72);
      else {
        yield* setMaxRegisters('dec', 72, { by: { warps: [0, 3] } });
        yield* setMaxRegisters('dec', 24, { by: { warps: [1, 2] } });
      }
    }),
  ];
});
