// An elected lane releases S after its own warp alone has stored P to tensor memory, and the other
// warps of the warpgroups may still store theirs.
// Attention backward on Blackwell: two warpgroups share a tile. Each warp waits for its stores and
// then joined its own lanes alone (__syncwarp) before the arrival for all, which let the MMA read a
// P that was not complete; the same before dS was published. Modeled here: the first of these, with
// four warps.
// The fix: a named barrier of all compute warps instead.
// https://github.com/Dao-AILab/flash-attention/pull/2033
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  role,
  syncNamed,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

const WARPS = 4;
const COMPUTE = 2; // a named barrier of the compute warps

export default kernel('fa-backward-p', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const s = buffer('s', { space: 'tmem' });
  const p = buffer('p', { space: 'tmem' });
  const dV = buffer('dV', { space: 'tmem' });
  const [sFull, pFull] = [barrier('s_full'), barrier('p_full')];

  const mma = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      asyncUse(UNITS.tcgen05, { writes: [s] });
      commit(UNITS.tcgen05, sFull);
      yield* wait(pFull, tile); // S is free as well
      asyncUse(UNITS.tcgen05, { reads: [p], writes: [dV] });
    }
  });

  const compute = role('compute', { warps: WARPS }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(sFull, tile);
      asyncUse(UNITS.tcgen05Ld, { reads: [s] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      asyncUse(UNITS.tcgen05St, { writes: [p] });
      yield* waitGroup(UNITS.tcgen05St, 0);
      if (fixed) yield* syncNamed(COMPUTE, WARPS * 32);
      arrive(pFull, { by: 'one' });
    }
  });

  return [mma, compute];
});
