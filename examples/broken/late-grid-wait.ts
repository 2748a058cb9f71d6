// Bug: a kernel launched with programmatic stream serialization reads the partial sums of the
// kernel before it, and executes griddepcontrol.wait only after the read.
// On hardware: such a kernel starts when all CTAs of the one before have allowed it or have ended,
// and what they write is visible after the wait alone: a wrong sum, now and then.
// Fix: waitGrids() before the first access to memory of the kernel before.
import { buffer, grid, kernel, launchDependents, read, role, waitGrids, write } from 'poundlock';

export default kernel('late-grid-wait', { early: false }, ({ early }) => {
  const gemm = grid('gemm');
  const reduction = grid('reduction', { after: gemm });
  const partial = buffer('partial', { space: 'global' });
  const sum = buffer('sum', { space: 'global' });

  return [
    role('epilogue', { grid: gemm }, function* () {
      launchDependents();
      write(partial);
    }),
    role('reduce', { grid: reduction }, function* () {
      if (early) yield* waitGrids();
      read(partial);
      if (!early) yield* waitGrids();
      write(sum);
    }),
  ];
});
