// The prologue fills all slots of a ring, so that the first copy of the loop overwrites the slot
// whose read is still under way.
// An AMD GEMM reads each tile from LDS one round before it is multiplied. With N copies in flight,
// the copy of round k goes to the slot of tile k, which round k - 1 began to read. The reads carry
// no order, and the compiler leaves the barrier out. Wrong results, silently, in 2 to 8 of 8
// processes.
// The fix: fill N - 1 slots, so that the copy goes to a slot whose tile was multiplied.
// https://github.com/ROCm/aiter/pull/4537
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  kernel,
  role,
  UNITS,
  wait,
  waitGroup,
  type Unit,
} from 'poundlock';

const BYTES = 16_384;
const LDS_READ: Unit = { name: 'lds.read', order: 'in-order' };

const defaults = { fixed: false, slots: 3, tiles: 4 };

export default kernel('compute-bound-gemm', defaults, ({ fixed, slots, tiles }) => {
  const ring = Array.from({ length: slots }, (_, s) => ({
    loaded: barrier(`loaded[${s}]`),
    lds: buffer(`lds[${s}]`),
  }));
  const filled = fixed ? slots - 1 : slots;

  const load = (tile: number) => {
    if (tile >= tiles) return;
    const { loaded, lds } = ring[tile % slots]!;
    arrive(loaded, { bytes: BYTES });
    asyncCopy(UNITS.tma, { into: [lds], bar: loaded, bytes: BYTES });
  };

  const fetch = function* (tile: number) {
    if (tile >= tiles) return;
    const { loaded, lds } = ring[tile % slots]!;
    yield* wait(loaded, Math.floor(tile / slots));
    asyncUse(LDS_READ, { reads: [lds], group: true });
  };

  const wave = role('wave', { lanes: 32 }, function* () {
    for (let tile = 0; tile < filled; tile++) load(tile);
    yield* fetch(0);
    for (let tile = 0; tile < tiles; tile++) {
      yield* fetch(tile + 1); // one tile ahead
      load(tile + filled);
      yield* waitGroup(LDS_READ, tile + 1 < tiles ? 1 : 0);
      // the tile is in registers: multiply it
    }
  });

  return [wave];
});
