// One warp stores the results of two activation groups, and does not wait until both have written
// them to shared memory.
// The epilogues of a ping-pong kernel were merged: each group leaves its half in shared memory, and
// a third partition writes both to global memory. Between the two was no barrier.
// The fix: a named barrier before the store, of 128 + 128 threads that arrive and 32 that wait.
// https://github.com/facebookexperimental/triton/pull/378
import {
  arriveNamed,
  asyncUse,
  buffer,
  fence,
  kernel,
  role,
  syncNamed,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';

const WRITTEN = 11; // named barriers
const STORED = 12;
const THREADS = 128 + 128 + 32;

export default kernel('gdpa', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const out = [buffer('out0'), buffer('out1')] as const;

  const activation = (group: 0 | 1) =>
    role(`activation${group}`, { lanes: 128 }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        if (tile > 0) yield* syncNamed(STORED, THREADS);
        write(out[group]);
        fence('proxy.async');
        if (fixed) arriveNamed(WRITTEN, THREADS);
      }
    });

  const store = role('store', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      if (fixed) yield* syncNamed(WRITTEN, THREADS);
      asyncUse(UNITS.bulk, { reads: out, group: true });
      yield* waitGroup(UNITS.bulk, 0);
      if (tile + 1 < tiles) arriveNamed(STORED, THREADS);
    }
  });

  return [activation(0), activation(1), store];
});
