// A persistent GEMM of Blackwell: scheduler, load, MMA and epilogue warps, and two accumulators.
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  read,
  role,
  UNITS,
  waitParity,
  type Kernel,
} from 'poundlock';

export type PersistentBug =
  | 'none'
  | 'accumulator is not released'
  | 'accumulator empty counts warps'
  | 'accumulator full is not committed'
  | 'MMA waits for a fresh accumulator'
  | 'work is not released by the load warp'
  | 'work empty counts two readers'
  | 'epilogue takes one tile more'
  | 'stage is released before the MMA is done'
  | 'commit goes to the wrong stage';

const TILES = 4;
const STEPS = 2;
const STAGES = 2;
const BYTES = 32_768;

export function gemmSm100(bug: PersistentBug): Kernel {
  const is = (one: PersistentBug): boolean => bug === one;
  return kernel('gemm-sm100', {}, () => {
    const workFull = barrier('workFull');
    const workEmpty = barrier('workEmpty', { count: is('work empty counts two readers') ? 2 : 3 });
    const work = buffer('work');
    const each = (name: string, count = 1) =>
      Array.from({ length: STAGES }, (_, at) => barrier(`${name}[${at}]`, { count }));
    const [full, empty] = [each('full'), each('empty')];
    const accFull = each('accFull');
    const accEmpty = each('accEmpty', is('accumulator empty counts warps') ? 4 : 1);
    const tiles = Array.from({ length: STAGES }, (_, at) => buffer(`ab[${at}]`));
    const acc = Array.from({ length: STAGES }, (_, at) => buffer(`acc[${at}]`));

    function* take(tile: number, isReleased = true) {
      yield* waitParity(workFull, tile % 2);
      read(work);
      if (isReleased) arrive(workEmpty);
    }

    const scheduler = role('scheduler', function* () {
      for (let tile = 0; tile < TILES; tile++) {
        yield* waitParity(workEmpty, (tile + 1) % 2);
        arrive(workFull, { bytes: 16 });
        asyncCopy(UNITS.clc, { into: [work], bar: workFull, bytes: 16 });
      }
    });

    const load = role('load', function* () {
      for (let tile = 0, k = 0; tile < TILES; tile++) {
        yield* take(tile, !is('work is not released by the load warp'));
        for (let step = 0; step < STEPS; step++, k++) {
          const stage = k % STAGES;
          yield* waitParity(empty[stage]!, (Math.floor(k / STAGES) + 1) % 2);
          arrive(full[stage]!, { bytes: BYTES });
          asyncCopy(UNITS.tma, { into: [tiles[stage]!], bar: full[stage]!, bytes: BYTES });
        }
      }
    });

    const multiply = role('mma', function* () {
      for (let tile = 0, k = 0; tile < TILES; tile++) {
        yield* take(tile);
        const slot = tile % STAGES;
        const start = is('MMA waits for a fresh accumulator') ? 0 : 1;
        yield* waitParity(accEmpty[slot]!, (Math.floor(tile / STAGES) + start) % 2);
        for (let step = 0; step < STEPS; step++, k++) {
          const stage = k % STAGES;
          yield* waitParity(full[stage]!, Math.floor(k / STAGES) % 2);
          asyncUse(UNITS.mma, { reads: [tiles[stage]!], writes: [acc[slot]!] });
          const released = is('commit goes to the wrong stage') ? 0 : stage;
          if (is('stage is released before the MMA is done')) arrive(empty[released]!);
          else commit(UNITS.mma, empty[released]!);
        }
        if (!is('accumulator full is not committed')) commit(UNITS.mma, accFull[slot]!);
      }
    });

    const epilogue = role('epilogue', { lanes: 128 }, function* () {
      const all = TILES + (is('epilogue takes one tile more') ? 1 : 0);
      for (let tile = 0; tile < all; tile++) {
        if (tile < TILES) yield* take(tile);
        const slot = tile % STAGES;
        yield* waitParity(accFull[slot]!, Math.floor(tile / STAGES) % 2);
        read(acc[slot]!);
        if (!is('accumulator is not released')) arrive(accEmpty[slot]!);
      }
    });
    return [scheduler, load, multiply, epilogue];
  });
}
