// One softmax warpgroup stores its P into columns of the scores that the other warpgroup has yet to
// load.
// FP8 attention with head size 256 on Blackwell has no tensor memory to spare: P goes to the last
// columns of the slot of S. With a mask, two warpgroups share the keys of a row. The first one
// loads its half, publishes its row maximum and stores P, which lies in the half of the second one.
// Without a mask each warpgroup loads all that it needs first.
// The fix: a barrier by which the second half says that its scores are loaded.
// https://github.com/NVIDIA/cudnn-frontend/pull/985
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
const [HALF, PACKED] = [64 * COLUMN, 16 * COLUMN];

export default kernel('sdpa-d256-fp8', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const s = buffer('s', { space: 'tmem', at: 0, bytes: 2 * HALF });
  const halves = [0, 1].map((half) => s.slice(half * HALF, HALF));
  const p = [0, 1].map((half) => {
    return buffer(`p[${half}]`, { space: 'tmem', at: 96 * COLUMN + half * PACKED, bytes: PACKED });
  });
  const output = buffer('output', { space: 'tmem', at: 256 * COLUMN, bytes: 256 * COLUMN });
  const sFull = barrier('s_full');
  const pFull = barrier('p_full', { count: 2 });
  const [maximum, loaded] = [barrier('softmax_max'), barrier('s_loaded')];

  const mma = role('mma', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      asyncUse(UNITS.tcgen05, { writes: [s] });
      commit(UNITS.tcgen05, sFull);
      yield* wait(pFull, tile);
      asyncUse(UNITS.tcgen05, { reads: p, writes: [output] });
    }
  });

  const softmax = (half: number) =>
    role(`softmax${half}`, { lanes: 128 }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        yield* wait(sFull, tile);
        asyncUse(UNITS.tcgen05Ld, { reads: [halves[half]!] });
        yield* waitGroup(UNITS.tcgen05Ld, 0);
        if (half === 0) arrive(maximum);
        else if (fixed) arrive(loaded);
        if (half === 1) yield* wait(maximum, tile);
        else if (fixed) yield* wait(loaded, tile);
        asyncUse(UNITS.tcgen05St, { writes: [p[half]!] });
        yield* waitGroup(UNITS.tcgen05St, 0);
        arrive(pFull);
      }
    });

  return [mma, softmax(0), softmax(1)];
});
