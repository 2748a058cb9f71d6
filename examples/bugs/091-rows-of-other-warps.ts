// Each warp copies its rows of the state by cp.async and waits for its own copies, and then every
// warp reads all rows.
// A state-space kernel with checkpoints: the rows are divided among the warps for the load, and the
// MMA that replays them divides the columns. Between the two stood __syncwarp() alone. Five
// launches with equal inputs gave five results.
// The fix: a barrier of all warps after each has waited.
// https://github.com/flashinfer-ai/flashinfer/pull/3439
import { asyncCopy, buffer, kernel, read, role, syncNamed, UNITS, waitGroup } from 'poundlock';

const WARPS = 4;
const ALL = 0; // __syncthreads()

export default kernel('checkpointing-ssu', { fixed: false }, ({ fixed }) => {
  const rows = Array.from({ length: WARPS }, (_, warp) => buffer(`state rows ${warp}`));

  const block = role('block', { warps: WARPS }, function* () {
    for (const [warp, part] of rows.entries()) {
      asyncCopy(UNITS.cpAsync, { into: [part], group: true, by: { warp } });
    }
    yield* waitGroup(UNITS.cpAsync, 0);
    if (fixed) yield* syncNamed(ALL, 32 * WARPS);
    for (let warp = 0; warp < WARPS; warp++) {
      for (const part of rows) read(part, { by: { warp } });
    }
  });

  return [block];
});
