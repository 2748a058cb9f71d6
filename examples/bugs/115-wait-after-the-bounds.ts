// The kernel waits for the one before it, and has read its input already.
// CUB's merge sort in three kernels: the first sorts blocks, the second finds where to cut them for
// merging, the third merges. Each waits at its start or, as the third, before it loads the keys:
// but its first reads are the cuts. Wrong cuts index shared memory out of bounds, a rare illegal
// address.
// The fix: the wait comes before the cuts are read.
// https://github.com/NVIDIA/cccl/issues/3131
import { buffer, grid, kernel, launchDependents, read, role, waitGrids, write } from 'poundlock';

export default kernel('merge-sort', { fixed: false }, ({ fixed }) => {
  const blockSort = grid('BlockSort');
  const partition = grid('Partition', { after: blockSort });
  const merge = grid('Merge', { after: partition });
  const [keys, cuts, merged] = ['keys', 'mergePartitions', 'merged'].map((name) =>
    buffer(name, { space: 'global' }),
  );

  return [
    role('sort blocks', { grid: blockSort }, function* () {
      launchDependents();
      write(keys!);
    }),
    role('find cuts', { grid: partition }, function* () {
      yield* waitGrids();
      read(keys!);
      write(cuts!);
    }),
    role('merge', { grid: merge }, function* () {
      if (fixed) yield* waitGrids();
      read(cuts!);
      if (!fixed) yield* waitGrids();
      read(keys!);
      write(merged!);
    }),
  ];
});
