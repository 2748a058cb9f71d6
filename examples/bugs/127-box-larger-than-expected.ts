// The kernel expects the bytes of the rows that the batch has; the tensor map delivers a whole tile.
// A change clamped both to the batch, but not the box that the host encodes for split-K tasks: 1,024
// bytes are expected and 2,048 arrive. All workers hung in their first such task, in a wait for a
// phase that never completes.
// The fix: clamp the box as well.
// https://github.com/mirage-project/mirage/pull/705
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  commit,
  asyncUse,
  kernel,
  role,
  UNITS,
  wait,
} from 'poundlock';

const STAGES = 2;
const ROW = 128; // bytes of 64 values
const TILE_ROWS = 16;

export default kernel(
  'splitk-linear',
  { fixed: false, batch: 8, steps: 4 },
  ({ fixed, batch, steps }) => {
    const rows = Math.min(TILE_ROWS, batch);
    const box = (fixed ? rows : TILE_ROWS) * ROW;
    const sB = Array.from({ length: STAGES }, (_, s) =>
      buffer(`sB[${s}]`, { bytes: TILE_ROWS * ROW }),
    );
    const full = sB.map((_, s) => barrier(`full[${s}]`));
    const empty = sB.map((_, s) => barrier(`empty[${s}]`));

    const load = role('load', function* () {
      for (let k = 0; k < steps; k++) {
        const s = k % STAGES;
        yield* wait(empty[s]!, Math.floor(k / STAGES) - 1);
        arrive(full[s]!, { bytes: rows * ROW });
        asyncCopy(UNITS.tma, { into: [sB[s]!], bar: full[s]!, bytes: box });
      }
      for (let k = Math.max(0, steps - STAGES); k < steps; k++)
        yield* wait(empty[k % STAGES]!, Math.floor(k / STAGES));
    });

    const mma = role('mma', function* () {
      for (let k = 0; k < steps; k++) {
        const s = k % STAGES;
        yield* wait(full[s]!, Math.floor(k / STAGES));
        asyncUse(UNITS.tcgen05, { reads: [sB[s]!] });
        commit(UNITS.tcgen05, empty[s]!);
      }
    });

    return [load, mma];
  },
);
