// A kernel that is launched early reads what the kernel before it may still write.
// FlashAttention, backward: the preprocessing kernel computes sum(O * dO), and is launched with
// programmatic dependent launch. It lets the main kernel start early, which waits; but it did not
// wait itself for the kernel before, which writes dO. A dO that is half written spoils dPsum, and
// with it dQ and dK.
// The fix: griddepcontrol.wait before its first read.
// https://github.com/Dao-AILab/flash-attention/pull/2481
import { buffer, grid, kernel, launchDependents, read, role, waitGrids, write } from 'poundlock';

export default kernel('bwd-preprocess', { fixed: false }, ({ fixed }) => {
  const upstream = grid('upstream');
  const preprocess = grid('preprocess', { after: upstream });
  const backward = grid('backward', { after: preprocess });
  const dO = buffer('dO', { space: 'global' });
  const dPsum = buffer('dPsum', { space: 'global' });
  const dQ = buffer('dQ', { space: 'global' });

  return [
    role('projection', { grid: upstream }, function* () {
      launchDependents();
      write(dO);
    }),
    role('row sums', { grid: preprocess }, function* () {
      if (fixed) yield* waitGrids();
      read(dO);
      launchDependents();
      write(dPsum);
    }),
    role('gradients', { grid: backward }, function* () {
      yield* waitGrids();
      read(dO);
      read(dPsum);
      write(dQ);
    }),
  ];
});
