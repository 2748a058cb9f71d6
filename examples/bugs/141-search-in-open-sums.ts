// The first threads store prefix sums of experts, and all threads search them with no barrier
// between. The fix: a barrier before the search.
// https://github.com/sgl-project/sglang/pull/37663
import { buffer, kernel, namedBarrier, read, role, syncNamed, write } from 'poundlock';

export default kernel('moe-align', { fixed: false, warps: 3 }, ({ fixed, warps }) => {
  const prefix = buffer('prefix', { bytes: 256 });
  const block = namedBarrier('block', { id: 0, threads: 32 * warps });
  return Array.from({ length: warps }, (_, warp) =>
    role(`warp${warp}`, { lanes: 32 }, function* () {
      if (warp === 0) write(prefix);
      if (fixed) yield* syncNamed(block);
      read(prefix);
    }),
  );
});
