// A copy publishes Q for both groups of a task; the next task publishes it again before all have
// waited, and the parity of those who are late comes around. The fix: a barrier that says consumed.
// https://github.com/mlc-ai/TIRx-kernels/pull/42
import { arrive, barrier, kernel, role, wait, waitParity } from 'poundlock';

export default kernel('sparse-prefill', { fixed: false, tasks: 3 }, ({ fixed, tasks }) => {
  const full = barrier('tQ full');
  const consumed = barrier('tQ consumed', { count: 2 });
  return [
    role('copy', { lanes: 1 }, function* () {
      for (let task = 0; task < tasks; task++) {
        if (fixed) yield* wait(consumed, task - 1);
        arrive(full);
      }
    }),
    ...[0, 1].map((group) =>
      role(`group${group}`, { lanes: 1 }, function* () {
        for (let task = 0; task < tasks; task++) {
          yield* waitParity(full, task % 2);
          if (fixed) arrive(consumed);
        }
      }),
    ),
  ];
});
