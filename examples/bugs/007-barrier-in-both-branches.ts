// LLVM copied a barrier into both branches before it, and the lanes of a warp wait at two copies.
// A warp waits at named barrier 14, which counts its own 32 threads. The instruction was inline
// assembly without the attribute convergent, so that jump threading was free to duplicate it behind
// a condition that differs between the lanes. Where ptxas keeps the branch, no copy ever sees the
// whole warp: the kernel hangs with four warps, and not with one.
// The fix: an intrinsic that is convergent. It prints the same instruction, once.
// https://github.com/facebookexperimental/triton/pull/1040
import { kernel, namedBarrier, role, syncNamed } from 'poundlock';

const lanes = (from: number, to: number) => {
  return { lanes: Array.from({ length: to - from }, (_, lane) => from + lane) };
};

export default kernel('async-task', { fixed: false, taken: 16 }, ({ fixed, taken }) => {
  const own = namedBarrier('own', { id: 14, threads: 32 });

  const task = role('task', { lanes: 32, strands: 'lanes' }, function* () {
    if (fixed) {
      yield* syncNamed(own, { aligned: true });
      return;
    }
    yield* syncNamed(own, { aligned: true, by: lanes(0, taken) }); // where the condition holds
    yield* syncNamed(own, { aligned: true, by: lanes(taken, 32) });
  });

  return [task];
});
