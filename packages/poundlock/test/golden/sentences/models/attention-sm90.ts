// A forward attention kernel of Hopper: two warpgroups take turns, and one warp stores the output.
import {
  arrive,
  arriveNamed,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  kernel,
  role,
  syncNamed,
  UNITS,
  waitGroup,
  waitParity,
  write,
  type Kernel,
} from 'poundlock';

export type AttentionBug =
  | 'none'
  | 'first turn is not given'
  | 'turn counts one warpgroup'
  | 'turn counts three warpgroups'
  | 'turn has another id'
  | 'epilogue counts two warps'
  | 'epilogue syncs with the whole warpgroup'
  | 'epilogue arrival is missing'
  | 'store is not awaited'
  | 'V is not released'
  | 'K expects the bytes of K and V'
  | 'first warpgroup ends one block early';

const BLOCKS = 4;
const BYTES = 32_768;
const TURN = [1, 2] as const;
const EPILOGUE = 3;

export function attentionSm90(bug: AttentionBug): Kernel {
  const is = (one: AttentionBug): boolean => bug === one;
  return kernel('attention-sm90', {}, () => {
    const fullK = barrier('fullK');
    const fullV = barrier('fullV');
    const emptyK = barrier('emptyK', { count: 2 });
    const emptyV = barrier('emptyV', { count: 2 });
    const [k, v] = [buffer('sK'), buffer('sV')];
    const out = [buffer('sO[0]'), buffer('sO[1]')];

    const load = role('load', { lanes: 32 }, function* () {
      for (let block = 0; block < BLOCKS; block++) {
        yield* waitParity(emptyK, (block + 1) % 2);
        arrive(fullK, { bytes: is('K expects the bytes of K and V') ? 2 * BYTES : BYTES });
        asyncCopy(UNITS.tma, { into: [k], bar: fullK, bytes: BYTES });
        yield* waitParity(emptyV, (block + 1) % 2);
        arrive(fullV, { bytes: BYTES });
        asyncCopy(UNITS.tma, { into: [v], bar: fullV, bytes: BYTES });
      }
    });

    const threads = is('turn counts one warpgroup')
      ? 128
      : is('turn counts three warpgroups')
        ? 384
        : 256;
    const epilogueThreads = is('epilogue counts two warps') ? 320 : 288;
    const group = (wg: number) =>
      role(`wg${wg + 1}`, { lanes: 128 }, function* () {
        const other = 1 - wg;
        if (wg === 1 && !is('first turn is not given')) arriveNamed(TURN[0], threads);
        const blocks = BLOCKS - (wg === 0 && is('first warpgroup ends one block early') ? 1 : 0);
        for (let block = 0; block < blocks; block++) {
          yield* waitParity(fullK, block % 2);
          yield* syncNamed(TURN[wg]!, threads);
          asyncUse(UNITS.mma, { reads: [k], group: true });
          const isLast = wg === 1 && block === BLOCKS - 1;
          if (!isLast) arriveNamed(is('turn has another id') ? 5 : TURN[other]!, threads);
          yield* waitGroup(UNITS.mma, 0);
          arrive(emptyK);
          yield* waitParity(fullV, block % 2);
          asyncUse(UNITS.mma, { reads: [v], group: true });
          yield* waitGroup(UNITS.mma, 0);
          if (!is('V is not released')) arrive(emptyV);
        }
        write(out[wg]!);
        if (!(wg === 0 && is('epilogue arrival is missing')))
          arriveNamed(EPILOGUE, epilogueThreads);
        if (wg === 0) return;
        const lanes = is('epilogue syncs with the whole warpgroup') ? 128 : 32;
        yield* syncNamed(EPILOGUE, epilogueThreads, { lanes });
        asyncUse(UNITS.bulk, { reads: out, group: true });
        if (!is('store is not awaited')) yield* waitGroup(UNITS.bulk, 0);
      });
    return [load, group(0), group(1)];
  });
}
