// The leader warp issues the next MMA while the other warps may still load the accumulator of the
// last one.
// A recurrence of dot products on Blackwell gives other results in each run: where warp 0 issues an
// MMA, a barrier between the warps is missing, because the operations on mbarriers did not declare
// what they write. Modeled here: the result is loaded from tensor memory, stored as the next
// operand, and multiplied; the barrier of the stores is there, and that of the loads is not.
// The fix: operations declare it, and the compiler adds the barriers.
// https://github.com/triton-lang/triton/issues/9871
import {
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  role,
  syncNamed,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const WARPS = 4;
const ALL = 0; // bar.sync of the program's warps

export default kernel('dot-recurrence', { fixed: false, steps: 3 }, ({ fixed, steps }) => {
  const state = buffer('state');
  const accumulator = buffer('accumulator', { space: 'tmem' });
  const done = barrier('done');

  const program = role('program', { warps: WARPS }, function* () {
    write(state);
    fence('proxy.async');
    yield* syncNamed(ALL, 32 * WARPS);
    for (let step = 0; step < steps; step++) {
      asyncUse(UNITS.tcgen05, { reads: [state], writes: [accumulator], by: 'one' });
      commit(UNITS.tcgen05, done, { by: 'one' });
      yield* wait(done, step);
      asyncUse(UNITS.tcgen05Ld, { reads: [accumulator] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      if (step === steps - 1) continue;
      write(state);
      fence('proxy.async');
      if (fixed) yield* syncNamed(ALL, 32 * WARPS);
    }
  });

  return [program];
});
