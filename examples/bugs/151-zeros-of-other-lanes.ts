// Lanes clear the output, and other lanes store the result there, with no join of the warp between.
// The fix: __syncwarp().
// https://github.com/mlc-ai/TIRx-kernels/pull/51
import { buffer, kernel, role, syncWarp, write } from 'poundlock';

export default kernel('kda-decode', { fixed: false }, ({ fixed }) => {
  const out = buffer('out', { bytes: 64, space: 'global' });
  return [
    role('warp', { strands: 'lanes' }, function* () {
      write(out, { by: { lane: 0 } });
      if (fixed) yield* syncWarp();
      write(out, { by: { lane: 1 } });
    }),
  ];
});
