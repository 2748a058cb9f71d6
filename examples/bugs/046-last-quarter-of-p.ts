// Softmax stores the last quarter of P to tensor memory and signals the MMA warp at once; after the
// first three quarters it waits for its stores.
// Attention forward on Blackwell: P is published in two parts, so that the MMA can begin early. The
// fence that waits for the stores (tcgen05.wait::st) was there before the first arrival alone.
// The fix: the same line before the second one.
// https://github.com/Dao-AILab/flash-attention/commit/e540fc1b
import {
  arrive,
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

const COLUMN = 512; // bytes of a column in the address space of tensor memory
const QUARTER = 16 * COLUMN;

export default kernel('fa-forward-p', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const p = buffer('p', { space: 'tmem', at: 0, bytes: 4 * QUARTER });
  const [most, last] = [p.slice(0, 3 * QUARTER), p.slice(3 * QUARTER, QUARTER)];
  const output = buffer('output', { space: 'tmem', at: 128 * COLUMN, bytes: 128 * COLUMN });
  const [pFull, pFull2, pEmpty] = ['p_full', 'p_full_2', 'p_empty'].map((name) => barrier(name));

  const softmax = role('softmax', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(pEmpty!, tile - 1);
      asyncUse(UNITS.tcgen05St, { writes: [most] });
      yield* waitGroup(UNITS.tcgen05St, 0);
      arrive(pFull!);
      asyncUse(UNITS.tcgen05St, { writes: [last] });
      if (fixed) yield* waitGroup(UNITS.tcgen05St, 0);
      arrive(pFull2!);
    }
    yield* wait(pEmpty!, tiles - 1);
  });

  const mma = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(pFull!, tile);
      asyncUse(UNITS.tcgen05, { reads: [most], writes: [output] });
      yield* wait(pFull2!, tile);
      asyncUse(UNITS.tcgen05, { reads: [last], writes: [output] });
      commit(UNITS.tcgen05, pEmpty!);
    }
  });

  return [softmax, mma];
});
