// The load warps publish a stage after a wait that leaves as many cp.async groups open as they have
// issued, so that it waits for nothing.
// Paged loads of MLA attention on Blackwell: one less than all stages of PV are copied ahead, and
// cp_async_wait leaves that many groups open before the first stage is committed. With fewer stages
// for PV than for QK the results are wrong.
// The fix: leave one group less open.
// https://github.com/NVIDIA/cutlass/pull/2502
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  role,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

const STAGES = 3;
const AHEAD = STAGES - 1; // copies that are issued before a stage is published

export default kernel('mla-paged-load', { fixed: false, tiles: 4 }, ({ fixed, tiles }) => {
  const v = Array.from({ length: STAGES }, (_, stage) => buffer(`v[${stage}]`));
  const full = v.map((_, stage) => barrier(`full[${stage}]`));
  const empty = v.map((_, stage) => barrier(`empty[${stage}]`));
  const lap = (tile: number) => Math.floor(tile / STAGES);

  const load = role('load', { lanes: 64 }, function* () {
    for (let tile = 0; tile < tiles + AHEAD; tile++) {
      const oldest = tile - AHEAD + 1;
      if (tile < tiles) {
        yield* wait(empty[tile % STAGES]!, lap(tile) - 1);
        asyncCopy(UNITS.cpAsync, { into: [v[tile % STAGES]!], group: true });
      }
      if (oldest < 0 || oldest >= tiles) continue;
      // At the end there are no newer groups that could stay open.
      const open = fixed ? AHEAD - 1 : AHEAD;
      yield* waitGroup(UNITS.cpAsync, tile < tiles ? open : 0);
      arrive(full[oldest % STAGES]!);
    }
    for (let tile = tiles - STAGES; tile < tiles; tile++) {
      if (tile >= 0) yield* wait(empty[tile % STAGES]!, lap(tile));
    }
  });

  const mma = role('mma', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(full[tile % STAGES]!, lap(tile));
      asyncUse(UNITS.tcgen05, { reads: [v[tile % STAGES]!] });
      commit(UNITS.tcgen05, empty[tile % STAGES]!);
    }
  });

  return [load, mma];
});
