// A pass moves a barrier out of one branch of an if and drops that of the other branch, too: what
// two warps exchange there has a barrier before the stores, and none behind them.
// The fix: each branch keeps the barriers that its own condition allows.
// https://github.com/tile-ai/tilelang/pull/3085
import { buffer, kernel, namedBarrier, read, role, syncNamed, write } from 'poundlock';

export default kernel('exchange', { fixed: false }, ({ fixed }) => {
  const halves = [0, 1].map((warp) => buffer(`s[${warp}]`, { bytes: 128 }));
  const inElse = namedBarrier('else', { id: 1, threads: 64 });
  return halves.map((own, warp) =>
    role(`warp${warp}`, { lanes: 32 }, function* () {
      if (!fixed) yield* syncNamed(inElse);
      write(own);
      if (fixed) yield* syncNamed(inElse);
      read(halves[1 - warp]!);
    }),
  );
});
