// Thread 0 of a program issues a TMA load and arrives for the next phase, while other warps may
// still wait for the last one.
// The lowering of a TMA copy predicates both the copy and mbarrier.arrive.expect_tx for thread 0,
// and nothing held it back for the warps that take no part. Modeled here: one barrier for all loads
// of a loop, and two tiles in turn. A warp that is late misses a phase.
// The fix: a bar.sync of the program between the copy and the arrival.
// https://github.com/triton-lang/triton/pull/3809
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  kernel,
  read,
  role,
  syncNamed,
  UNITS,
  wait,
} from 'poundlock';

const WARPS = 4;
const BYTES = 65_536;
const ALL = 0; // bar.sync of the program's warps

export default kernel('tma-copy', { fixed: false, loads: 3 }, ({ fixed, loads }) => {
  const tiles = [buffer('tile[0]'), buffer('tile[1]')];
  const full = barrier('full');

  const program = role('program', { warps: WARPS }, function* () {
    for (let n = 0; n < loads; n++) {
      const into = [tiles[n % 2]!];
      asyncCopy(UNITS.tma, { into, bar: full, bytes: BYTES, by: 'one' });
      if (fixed) yield* syncNamed(ALL, 32 * WARPS);
      arrive(full, { bytes: BYTES, by: 'one' });
      yield* wait(full, n);
      read(tiles[n % 2]!);
    }
  });

  return [program];
});
