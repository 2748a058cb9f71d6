// The warps of a partition store into a view of a shared buffer, and load from the buffer without a
// barrier between.
// A compiler inserts barriers where it sees that two accesses are to one allocation. Through the
// captures of a warp-specialized region it did not see it, so that no partition got any of these
// barriers.
// The fix: the alias analysis passes the captures on to the partitions.
// https://github.com/triton-lang/triton/pull/6441
import { buffer, kernel, read, role, syncNamed, write } from 'poundlock';

const WARPS = 2;
const BYTES = 512;
const OF_PARTITION = [1, 2]; // a named barrier for each partition

export default kernel('membar-partitions', { fixed: false, rounds: 1 }, ({ fixed, rounds }) => {
  const partition = (index: number) => {
    const captured = buffer(`captured${index}`, { at: index * BYTES, bytes: BYTES });
    const part = BYTES / WARPS;
    const views = Array.from({ length: WARPS }, (_, warp) => captured.slice(warp * part, part));
    return role(`partition${index}`, { warps: WARPS }, function* () {
      for (let round = 0; round < rounds; round++) {
        for (const [warp, view] of views.entries()) write(view, { by: { warp } });
        if (fixed) yield* syncNamed(OF_PARTITION[index]!, 32 * WARPS);
        for (let warp = 0; warp < WARPS; warp++) read(captured, { by: { warp } });
        yield* syncNamed(OF_PARTITION[index]!, 32 * WARPS);
      }
    });
  };

  return OF_PARTITION.map((_, index) => partition(index));
});
