// A warp-specialized GEMM of Hopper: one TMA warp and two consumer warpgroups over mbarriers.
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  kernel,
  read,
  role,
  UNITS,
  waitGroup,
  waitParity,
  type Kernel,
} from 'poundlock';

export type GemmBug =
  | 'none'
  | 'second consumer does not release'
  | 'empty counts threads'
  | 'empty counts one consumer'
  | 'expect too large'
  | 'expect too small'
  | 'expect forgotten'
  | 'producer starts with parity 0'
  | 'consumer starts with parity 1'
  | 'producer parity never flips'
  | 'consumer parity never flips'
  | 'consumer does not wait'
  | 'consumer makes one tile more'
  | 'producer makes one tile less'
  | 'consumer leaves early'
  | 'release before the work is done'
  | 'one release is skipped'
  | 'full counts both loads'
  | 'store is not awaited';

const STAGES = 2;
const TILES = 6;
const BYTES = 16_384;

export function gemmSm90(bug: GemmBug): Kernel {
  const is = (one: GemmBug): boolean => bug === one;
  return kernel('gemm-sm90', {}, () => {
    const consumers = is('empty counts threads') ? 256 : is('empty counts one consumer') ? 1 : 2;
    const stages = Array.from({ length: STAGES }, (_, stage) => stage);
    const full = stages.map((at) =>
      barrier(`full[${at}]`, { count: is('full counts both loads') ? 2 : 1 }),
    );
    const empty = stages.map((at) => barrier(`empty[${at}]`, { count: consumers }));
    const a = stages.map((at) => buffer(`a[${at}]`));
    const b = stages.map((at) => buffer(`b[${at}]`));
    const out = [buffer('out[0]'), buffer('out[1]')];

    const expected = is('expect too large')
      ? 3 * BYTES
      : is('expect too small')
        ? BYTES
        : 2 * BYTES;
    const loads = is('producer makes one tile less') ? TILES - 1 : TILES;
    const load = role('load', function* () {
      for (let k = 0; k < loads; k++) {
        const stage = k % STAGES;
        const lap = is('producer parity never flips') ? 0 : Math.floor(k / STAGES);
        yield* waitParity(empty[stage]!, (lap + (is('producer starts with parity 0') ? 0 : 1)) % 2);
        arrive(full[stage]!, is('expect forgotten') ? {} : { bytes: expected });
        asyncCopy(UNITS.tma, { into: [a[stage]!], bar: full[stage]!, bytes: BYTES });
        asyncCopy(UNITS.tma, { into: [b[stage]!], bar: full[stage]!, bytes: BYTES });
      }
    });

    const consumer = (wg: number) =>
      role(`wg${wg + 1}`, { lanes: 128 }, function* () {
        const isSecond = wg === 1;
        let tiles = TILES;
        if (isSecond && is('consumer makes one tile more')) tiles++;
        if (isSecond && is('consumer leaves early')) tiles -= 3;
        for (let k = 0; k < tiles; k++) {
          const stage = k % STAGES;
          const lap = is('consumer parity never flips') ? 0 : Math.floor(k / STAGES);
          const start = is('consumer starts with parity 1') ? 1 : 0;
          if (!(isSecond && is('consumer does not wait'))) {
            yield* waitParity(full[stage]!, (lap + start) % 2);
          }
          asyncUse(UNITS.mma, { reads: [a[stage]!, b[stage]!], group: true });
          if (!is('release before the work is done')) yield* waitGroup(UNITS.mma, 0);
          const isSilent =
            isSecond &&
            (is('second consumer does not release') || (is('one release is skipped') && k === 2));
          if (!isSilent) arrive(empty[stage]!);
        }
        yield* waitGroup(UNITS.mma, 0);
        read(out[wg]!);
        asyncUse(UNITS.bulk, { reads: [out[wg]!], group: true });
        if (!(isSecond && is('store is not awaited'))) yield* waitGroup(UNITS.bulk, 0);
      });
    return [load, consumer(0), consumer(1)];
  });
}
