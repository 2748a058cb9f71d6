// The dispatch warps meet, and clear the counters of the workspace; the warp that loads A has no part
// in that barrier, and still reads them. The fix: it takes part.
// https://github.com/mlc-ai/TIRx-kernels/pull/14
import { buffer, kernel, namedBarrier, read, role, syncNamed, write } from 'poundlock';

export default kernel('mega-moe', { fixed: false }, ({ fixed }) => {
  const counters = buffer('counters', { bytes: 256, space: 'global' });
  const end = namedBarrier('end', { id: 1, threads: fixed ? 96 : 64 });
  return [
    ...[0, 1].map((warp) =>
      role(`dispatch${warp}`, { lanes: 32 }, function* () {
        yield* syncNamed(end);
        if (warp === 0) write(counters);
      }),
    ),
    role('load A', { lanes: 32 }, function* () {
      read(counters);
      if (fixed) yield* syncNamed(end);
    }),
  ];
});
