// 48 of 64 threads exchange values through shared memory, and the barrier between is dropped.
// A compiler finds that a sync is needed inside a branch. A partial bar.sync counts whole warps;
// for another number of threads the pass returned nothing instead: S[tx] is written and S[47 - tx]
// read with no barrier between, across two warps.
// The fix: an error at compile time; here: the branch widened to whole warps, with their barrier.
// https://github.com/tile-ai/tilelang/issues/2556
import { buffer, kernel, read, role, syncNamed, write } from 'poundlock';

const WARPS = 2;
const PARTIAL = 1; // a named barrier of the threads in the branch

export default kernel('partial-sync', { fixed: false }, ({ fixed }) => {
  const s = [buffer('S[0, 32)'), buffer('S[32, 48)')]; // what each warp writes

  const block = role('block', { warps: WARPS }, function* () {
    write(s[0]!, { by: { warp: 0 } });
    write(s[1]!, { by: { warp: 1 } }); // 16 of its lanes
    if (fixed) yield* syncNamed(PARTIAL, 32 * WARPS);
    for (const half of s) read(half, { by: { warp: 0 } }); // S[16] to S[47]
    read(s[0]!, { by: { warp: 1 } }); // S[0] to S[15]
  });

  return [block];
});
