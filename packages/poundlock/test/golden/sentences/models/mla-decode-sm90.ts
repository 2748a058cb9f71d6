// A decode kernel for latent attention on Hopper: two warpgroups exchange P through shared memory.
import {
  arrive,
  arriveNamed,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  kernel,
  read,
  role,
  syncNamed,
  UNITS,
  waitGroup,
  waitParity,
  write,
  type Kernel,
} from 'poundlock';

export type DecodeBug =
  | 'none'
  | 'P0 is not announced'
  | 'P1 barrier counts one warpgroup'
  | 'P0 is overwritten while it is read'
  | 'V0 is released before both have read it'
  | 'second warpgroup reads P0 without a sync'
  | 'first warpgroup ends one pair early'
  | 'K release counts one warpgroup'
  | 'producer loads one block less';

const PAIRS = 3;
const BYTES = 65_536;
const [P0_READY, P1_READY, P0_FREE, P1_FREE] = [1, 2, 3, 4] as const;

export function mlaDecodeSm90(bug: DecodeBug): Kernel {
  const is = (one: DecodeBug): boolean => bug === one;
  return kernel('mla-decode-sm90', {}, () => {
    const full = [barrier('full[0]'), barrier('full[1]')];
    const count = is('K release counts one warpgroup') ? 1 : 2;
    const empty = [0, 1].map((at) => barrier(`empty[${at}]`, { count }));
    const kv = [buffer('sKV[0]'), buffer('sKV[1]')];
    const p = [buffer('sP[0]'), buffer('sP[1]')];

    const load = role('load', { lanes: 128 }, function* () {
      const blocks = 2 * PAIRS - (is('producer loads one block less') ? 1 : 0);
      for (let block = 0; block < blocks; block++) {
        const slot = block % 2;
        yield* waitParity(empty[slot]!, (Math.floor(block / 2) + 1) % 2);
        arrive(full[slot]!, { bytes: BYTES });
        asyncCopy(UNITS.tma, { into: [kv[slot]!], bar: full[slot]!, bytes: BYTES });
      }
    });

    const ready = [P0_READY, P1_READY] as const;
    const taken = [P0_FREE, P1_FREE] as const;
    const group = (wg: 0 | 1) =>
      role(`wg${wg}`, { lanes: 128 }, function* () {
        const other = (1 - wg) as 0 | 1;
        const pairs = PAIRS - (wg === 0 && is('first warpgroup ends one pair early') ? 1 : 0);
        for (let pair = 0; pair < pairs; pair++) {
          yield* waitParity(full[wg]!, pair % 2);
          asyncUse(UNITS.mma, { reads: [kv[wg]!], group: true });
          yield* waitGroup(UNITS.mma, 0);
          if (pair > 0 && !(wg === 0 && is('P0 is overwritten while it is read'))) {
            yield* syncNamed(taken[wg], 256);
          }
          write(p[wg]!);
          const threads = wg === 1 && is('P1 barrier counts one warpgroup') ? 128 : 256;
          if (!(wg === 0 && is('P0 is not announced'))) arriveNamed(ready[wg], threads);
          asyncUse(UNITS.mma, { reads: [p[wg]!, kv[wg]!], group: true });
          yield* waitParity(full[other]!, pair % 2);
          const isUnsynced = wg === 1 && is('second warpgroup reads P0 without a sync');
          if (!isUnsynced) yield* syncNamed(ready[other], 256);
          asyncUse(UNITS.mma, { reads: [p[other]!, kv[other]!], group: true });
          const isEarly = wg === 1 && is('V0 is released before both have read it');
          if (isEarly) arrive(empty[0]!);
          yield* waitGroup(UNITS.mma, 0);
          const isFreed = wg === 1 && is('P0 is overwritten while it is read');
          if (pair < PAIRS - 1 && !isFreed) arriveNamed(taken[other], 256);
          if (!isEarly) arrive(empty[0]!);
          arrive(empty[1]!);
        }
        read(p[wg]!);
      });
    return [load, group(0), group(1)];
  });
}
