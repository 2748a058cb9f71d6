// One warp issues the copy of the scales to tensor memory while the other warps may still store
// them to shared memory.
// A compiler adds barriers where it sees that shared memory is written and read. It did not know
// that tcgen05.cp reads its source, so that none stood between the stores of all warps and the
// copy, which one thread issues.
// The fix: the operation declares what it reads and writes, and the barrier comes.
// https://github.com/triton-lang/triton/pull/6061
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
  write,
} from 'poundlock';

const WARPS = 4;
const ALL = 0; // bar.sync of the kernel's warps

export default kernel('block-scaled-dot', { fixed: false, steps: 2 }, ({ fixed, steps }) => {
  const scales = buffer('scales');
  const scalesInTmem = buffer('scales in tmem', { space: 'tmem' });
  const accumulator = buffer('accumulator', { space: 'tmem' });
  const done = barrier('done');

  const program = role('program', { warps: WARPS }, function* () {
    for (let step = 0; step < steps; step++) {
      write(scales);
      fence('proxy.async');
      if (fixed) yield* syncNamed(ALL, WARPS * 32);
      asyncUse(UNITS.tcgen05, { reads: [scales], writes: [scalesInTmem], by: 'one' });
      const operands = { reads: [scalesInTmem], writes: [accumulator] };
      asyncUse(UNITS.tcgen05, { ...operands, by: 'one' });
      commit(UNITS.tcgen05, done, { by: 'one' });
      yield* wait(done, step);
    }
  });

  return [program];
});
