// Accumulators share columns of tensor memory, and the MMA warp waits for readers of the wrong ones.
// Backward pass of sparse attention with 576 columns for each head: dKV comes in three generations
// (parts 0 and 1; 4; 2 and 3) through a ring of two stages, and parts 0 and 1 lie in the columns of
// parts 2 and 3. A free stage says that the generation before the last has been read; the columns that
// the MMA overwrites are those of the last one, which the reducing warps may still read.
// The fix: a named barrier after the reads of parts 2 and 3.
// https://github.com/NVIDIA/cudnn-frontend/pull/396
import {
  arrive,
  arriveNamed,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  namedBarrier,
  role,
  syncNamed,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

const STAGES = 2;
const GENERATIONS = [[0, 1], [4], [2, 3]];
const PLACES = [0, 64, 0, 64, 128]; // first column of each part

export default kernel('dsa-backward', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const dKV = PLACES.map((at, part) => buffer(`dKV${part}`, { space: 'tmem', at, bytes: 64 }));
  const full = Array.from({ length: STAGES }, (_, s) => barrier(`full[${s}]`));
  const empty = full.map((_, s) => barrier(`empty[${s}]`));
  const done = namedBarrier('t2rDone', { id: 9, threads: 128 + 32 });

  const mma = role('mma', { lanes: 32 }, function* () {
    let n = 0;
    for (let tile = 0; tile < tiles; tile++) {
      for (const [g, parts] of GENERATIONS.entries()) {
        yield* wait(empty[n % STAGES]!, Math.floor(n / STAGES) - 1);
        if (g === 0 && tile > 0 && fixed) yield* syncNamed(done);
        asyncUse(UNITS.tcgen05, { writes: parts.map((part) => dKV[part]!) });
        commit(UNITS.tcgen05, full[n++ % STAGES]!);
      }
    }
  });

  const reduce = role('reduce', { lanes: 128 }, function* () {
    let n = 0;
    for (let tile = 0; tile < tiles; tile++) {
      for (const [g, parts] of GENERATIONS.entries()) {
        yield* wait(full[n % STAGES]!, Math.floor(n / STAGES));
        asyncUse(UNITS.tcgen05Ld, { reads: parts.map((part) => dKV[part]!) });
        yield* waitGroup(UNITS.tcgen05Ld, 0);
        if (g === 2 && tile + 1 < tiles && fixed) arriveNamed(done);
        arrive(empty[n++ % STAGES]!);
      }
    }
  });

  return [mma, reduce];
});
