// Warning: the barrier expects an arrival of each of four warps, and only three of them have work.
// On hardware: the kernel ends. If another tile used the barrier, its first phase would complete after
// one arrival.
// Fix: warps without work arrive, too, or the barrier expects three arrivals.
import { arrive, barrier, kernel, role } from 'poundlock';

export default kernel('not-quiescent', { warps: 3, expected: 4 }, ({ warps, expected }) => {
  const done = barrier('done', { count: expected });
  return Array.from({ length: warps }, (_, warp) =>
    role(`epilogue_${warp}`, function* () {
      arrive(done);
    }),
  );
});
