// The TMA store of a gradient reads shared memory that the load warp fills with an operand of the
// next tile.
// Attention backward in a persistent loop: the staging buffers of dV and dK lie over the operands V
// and dO. The loads wait until the MMAs have read the operands of the last tile; the guard against
// the stores was emitted for a constant slot and phase within one task, and came to nothing.
// The fix: a token of its own, which the load warp takes before a tile's loads and the staging task
// returns when its stores are done.
// https://github.com/facebookexperimental/triton/pull/1853
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  role,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const BYTES = 32_768;

export default kernel('fa-backward-persistent', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const operands = ['v', 'do'].map((name, at) => buffer(name, { at: at * BYTES, bytes: BYTES }));
  const staging = ['dv', 'dk'].map((name, at) => buffer(name, { at: at * BYTES, bytes: BYTES }));
  const [full, empty] = [barrier('operands_full'), barrier('operands_empty')];
  const [gradients, reuse] = [barrier('gradients'), barrier('reuse')];

  const load = role('load', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      if (fixed) yield* wait(reuse, tile - 1);
      yield* wait(empty, tile - 1);
      arrive(full, { bytes: 2 * BYTES });
      for (const operand of operands) {
        asyncCopy(UNITS.tma, { into: [operand], bar: full, bytes: BYTES });
      }
    }
  });

  const mma = role('mma', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(full, tile);
      asyncUse(UNITS.tcgen05, { reads: operands });
      commit(UNITS.tcgen05, empty);
      commit(UNITS.tcgen05, gradients);
    }
  });

  const compute = role('compute', { lanes: 256 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(gradients, tile);
      for (const gradient of staging) {
        write(gradient);
        fence('proxy.async');
        asyncCopy(UNITS.bulk, { reads: [gradient], group: true });
      }
      yield* waitGroup(UNITS.bulk, 0, { read: true });
      if (fixed) arrive(reuse);
    }
  });

  return [load, mma, compute];
});
