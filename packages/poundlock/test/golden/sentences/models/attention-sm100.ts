// A forward attention kernel of Blackwell: load, MMA, two softmax warpgroups, correction, epilogue.
import {
  alloc,
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  free,
  kernel,
  pool,
  read,
  relinquish,
  role,
  syncNamed,
  UNITS,
  waitGroup,
  waitParity,
  write,
  type Kernel,
} from 'poundlock';

export type SoftmaxBug =
  | 'none'
  | 'P counts the softmax threads only'
  | 'correction skips its arrival for the first block'
  | 'softmax skips the last block'
  | 'scale is not released'
  | 'correction does not wait for the output'
  | 'output is not committed'
  | 'store is not awaited before the release'
  | 'memory is freed without the softmax warps'
  | 'allocation barrier counts no correction warps'
  | 'K is released before QK is done'
  | 'epilogue starts with parity 1';

const BLOCKS = 3;
const TILES = 2;
const BYTES = 32_768;
const ALLOCATED = 1;

export function attentionSm100(bug: SoftmaxBug): Kernel {
  const is = (one: SoftmaxBug): boolean => bug === one;
  return kernel('attention-sm100', {}, () => {
    const halves = [0, 1];
    const each = (name: string, count = 1) =>
      halves.map((at) => barrier(`${name}[${at}]`, { count }));
    const buffers = (name: string) => halves.map((at) => buffer(`${name}[${at}]`));
    const [qFull, qEmpty, kvFull, kvEmpty] = ['qFull', 'qEmpty', 'kvFull', 'kvEmpty'].map((name) =>
      each(name),
    ) as [
      ReturnType<typeof each>,
      ReturnType<typeof each>,
      ReturnType<typeof each>,
      ReturnType<typeof each>,
    ];
    const sFull = each('sFull');
    const pFull = each('pFull', is('P counts the softmax threads only') ? 128 : 256);
    const scaleFull = each('scaleFull', 128);
    const scaleEmpty = each('scaleEmpty', 128);
    const oFull = each('oFull');
    const outFull = each('outFull', 128);
    const outEmpty = each('outEmpty');
    const freed = barrier('tmemFree', {
      count: is('memory is freed without the softmax warps') ? 128 : 384,
    });
    const [q, kv, scale, out] = [buffers('sQ'), buffers('sKV'), buffers('sScale'), buffers('sO')];
    const tmem = pool('tmem', { capacity: 512, buffers: 1 });
    const [columns] = tmem.buffers;
    const [s, o] = [buffers('tS'), buffers('tO')];
    const all = is('allocation barrier counts no correction warps') ? 288 : 416;

    const load = role('load', { lanes: 32 }, function* () {
      for (let tile = 0, n = 0; tile < TILES; tile++) {
        for (const half of halves) {
          yield* waitParity(qEmpty[half]!, (tile + 1) % 2);
          arrive(qFull[half]!, { bytes: BYTES });
          asyncCopy(UNITS.tma, { into: [q[half]!], bar: qFull[half]!, bytes: BYTES });
        }
        for (let block = 0; block < 2 * BLOCKS; block++, n++) {
          const slot = n % 2;
          yield* waitParity(kvEmpty[slot]!, (Math.floor(n / 2) + 1) % 2);
          arrive(kvFull[slot]!, { bytes: BYTES });
          asyncCopy(UNITS.tma, { into: [kv[slot]!], bar: kvFull[slot]!, bytes: BYTES });
        }
      }
    });

    const mma = role('mma', { lanes: 32 }, function* () {
      const mine = yield* alloc(tmem, 512);
      yield* syncNamed(ALLOCATED, all);
      for (let tile = 0, n = 0; tile < TILES; tile++) {
        for (let block = 0; block < BLOCKS; block++) {
          const lap = tile * BLOCKS + block;
          const [k, v] = [n++ % 2, n++ % 2];
          yield* waitParity(kvFull[k]!, lap % 2);
          for (const half of halves) {
            if (block === 0) yield* waitParity(qFull[half]!, tile % 2);
            asyncUse(UNITS.mma, { reads: [q[half]!, kv[k]!], writes: [s[half]!] });
            commit(UNITS.mma, sFull[half]!);
          }
          if (is('K is released before QK is done')) arrive(kvEmpty[k]!);
          else commit(UNITS.mma, kvEmpty[k]!);
          yield* waitParity(kvFull[v]!, lap % 2);
          for (const half of halves) {
            yield* waitParity(pFull[half]!, lap % 2);
            asyncUse(UNITS.mma, { reads: [s[half]!, kv[v]!], writes: [o[half]!] });
            const isLast = block === BLOCKS - 1;
            if (isLast && !is('output is not committed')) commit(UNITS.mma, oFull[half]!);
          }
          commit(UNITS.mma, kvEmpty[v]!);
        }
        for (const half of halves) commit(UNITS.mma, qEmpty[half]!);
      }
      relinquish(tmem);
      yield* waitParity(freed, 0);
      free(mine);
    });

    const softmax = (half: number) =>
      role(`softmax${half}`, { lanes: 128 }, function* () {
        yield* syncNamed(ALLOCATED, all);
        const blocks = TILES * BLOCKS - (is('softmax skips the last block') && half === 1 ? 1 : 0);
        for (let lap = 0; lap < blocks; lap++) {
          yield* waitParity(sFull[half]!, lap % 2);
          read(s[half]!);
          yield* waitParity(scaleEmpty[half]!, (lap + 1) % 2);
          write(scale[half]!);
          arrive(scaleFull[half]!, { everyLane: true });
          write(s[half]!);
          arrive(pFull[half]!, { everyLane: true });
        }
        if (!is('memory is freed without the softmax warps')) {
          read(columns!);
          arrive(freed, { everyLane: true });
        } else read(columns!);
      });

    const correction = role('correction', { lanes: 128 }, function* () {
      yield* syncNamed(ALLOCATED, all);
      for (let tile = 0; tile < TILES; tile++) {
        for (let block = 0; block < BLOCKS; block++) {
          const lap = tile * BLOCKS + block;
          for (const half of halves) {
            yield* waitParity(scaleFull[half]!, lap % 2);
            read(scale[half]!);
            if (!is('scale is not released')) arrive(scaleEmpty[half]!, { everyLane: true });
            if (block > 0) write(o[half]!);
            const isSkipped = block === 0 && is('correction skips its arrival for the first block');
            if (!isSkipped && !is('P counts the softmax threads only')) {
              arrive(pFull[half]!, { everyLane: true });
            } else if (!isSkipped) arrive(pFull[half]!, { everyLane: true });
          }
        }
        for (const half of halves) {
          if (!is('correction does not wait for the output')) {
            yield* waitParity(oFull[half]!, tile % 2);
          }
          yield* waitParity(outEmpty[half]!, (tile + 1) % 2);
          read(o[half]!);
          write(out[half]!);
          arrive(outFull[half]!, { everyLane: true });
        }
      }
      read(columns!);
      arrive(freed, { everyLane: true });
    });

    const epilogue = role('epilogue', { lanes: 32 }, function* () {
      const start = is('epilogue starts with parity 1') ? 1 : 0;
      for (let tile = 0; tile < TILES; tile++) {
        for (const half of halves) {
          yield* waitParity(outFull[half]!, (tile + start) % 2);
          asyncUse(UNITS.bulk, { reads: [out[half]!], group: true });
          if (!is('store is not awaited before the release')) yield* waitGroup(UNITS.bulk, 0);
          arrive(outEmpty[half]!);
        }
      }
      yield* waitGroup(UNITS.bulk, 0);
    });
    return [load, mma, softmax(0), softmax(1), correction, epilogue];
  });
}
