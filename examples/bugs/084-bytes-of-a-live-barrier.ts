// A buffer of the second loop lies over a barrier of the first loop, at which a warp still waits.
// A kernel with two warp-specialized loops: the allocation of shared memory took the barriers of
// the first one for dead when that loop had ended in the main role, and gave their bytes away.
// Modeled here: a TMA copy of the second loop into these bytes.
// The fix: barriers live until the end of the function.
// https://github.com/facebookexperimental/triton/pull/861
import { arrive, asyncCopy, barrier, buffer, kernel, read, role, UNITS, wait } from 'poundlock';

const TILE = 8192;
const BARRIER = 8;

export default kernel('two-loops', { fixed: false }, ({ fixed }) => {
  const first = buffer('first tile', { at: 0, bytes: TILE });
  const firstFull = barrier('first_full', { at: TILE });
  const second = buffer('second tile', { at: TILE + (fixed ? BARRIER : 0), bytes: TILE });
  const secondFull = barrier('second_full', { at: 2 * TILE + BARRIER });

  const loops = [
    { tile: first, full: firstFull },
    { tile: second, full: secondFull },
  ];

  const load = role('load', { lanes: 32 }, function* () {
    for (const { tile, full } of loops) {
      arrive(full, { bytes: TILE });
      asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: TILE });
    }
  });

  const compute = role('compute', { lanes: 128 }, function* () {
    for (const { tile, full } of loops) {
      yield* wait(full, 0);
      read(tile);
    }
  });

  return [load, compute];
});
