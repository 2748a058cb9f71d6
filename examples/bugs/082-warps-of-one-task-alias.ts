// A warp stores its chunk of P over columns of S that another warp of the same task has yet to
// load.
// Attention backward with CTA pairs: P lies in the upper half of the columns of S by design. In
// this layout loads of 32-bit scores and stores of 16-bit P give a warp different chunks, and
// nothing orders the warps of the task between them: about one run in eight was wrong. No mbarrier
// is involved, so that fences and waits changed nothing.
// The fix: a barrier of the task between the loads and the stores, with CTA pairs.
// https://github.com/facebookexperimental/triton/pull/1992
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

const WARPS = 4; // of the 8 of the task
const COLUMN = 512; // bytes of a column in the address space of tensor memory
const CHUNK = 32 * COLUMN;
const TASK = 3; // a named barrier

export default kernel('fa-backward-2cta', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  const s = buffer('s', { space: 'tmem', at: 0, bytes: WARPS * CHUNK });
  const p = buffer('p', { space: 'tmem', at: 64 * COLUMN, bytes: (WARPS * CHUNK) / 2 });
  const chunks = Array.from({ length: WARPS }, (_, warp) => ({
    by: { warp },
    loaded: s.slice(warp * CHUNK, CHUNK),
    stored: p.slice((warp * CHUNK) / 2, CHUNK / 2),
  }));
  const [full, ready] = [barrier('s_full'), barrier('p_ready')];

  const mma = role('mma', { lanes: 32 }, function* () {
    for (let block = 0; block < blocks; block++) {
      asyncUse(UNITS.tcgen05, { writes: [s] });
      commit(UNITS.tcgen05, full);
      yield* wait(ready, block);
      asyncUse(UNITS.tcgen05, { reads: [p] });
    }
  });

  const compute = role('compute', { warps: WARPS }, function* () {
    for (let block = 0; block < blocks; block++) {
      yield* wait(full, block);
      for (const { by, loaded } of chunks) asyncUse(UNITS.tcgen05Ld, { reads: [loaded], by });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      if (fixed) yield* syncNamed(TASK, 32 * WARPS);
      for (const { by, stored } of chunks) asyncUse(UNITS.tcgen05St, { writes: [stored], by });
      yield* waitGroup(UNITS.tcgen05St, 0);
      arrive(ready); // when all warps are done
    }
  });

  return [mma, compute];
});
