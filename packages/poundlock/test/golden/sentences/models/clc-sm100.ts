// A persistent GEMM of Blackwell that gets its tiles from the hardware, with a throttle.
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  cell,
  choose,
  commit,
  end,
  kernel,
  load as loadCell,
  loop,
  read,
  role,
  UNITS,
  waitParity,
  type Kernel,
} from 'poundlock';

export type ClcBug =
  | 'none'
  | 'epilogue does not release the response'
  | 'response empty counts the threads'
  | 'response is released before it is read'
  | 'load leaves without a release'
  | 'throttle is not signaled'
  | 'throttle starts with parity 0'
  | 'response is not expected'
  | 'MMA skips the accumulator wait'
  | 'accumulator is released before it is read'
  | 'response empty counts two readers'
  | 'epilogue phase does not flip';

const STEPS = 2;
const STAGES = 2;
const BYTES = 32_768;
const RESPONSE = 16;

interface Lap {
  readonly slot: number;
  readonly phase: number;
}
const FIRST: Lap = { slot: 0, phase: 0 };
const next = ({ slot, phase }: Lap): Lap =>
  slot + 1 === STAGES ? { slot: 0, phase: phase ^ 1 } : { slot: slot + 1, phase };

export function clcSm100(bug: ClcBug): Kernel {
  const is = (one: ClcBug): boolean => bug === one;
  return kernel('clc-sm100', {}, () => {
    const each = (name: string, count = 1) =>
      Array.from({ length: STAGES }, (_, at) => barrier(`${name}[${at}]`, { count }));
    const buffers = (name: string) =>
      Array.from({ length: STAGES }, (_, at) => buffer(`${name}[${at}]`));
    const [full, empty, accFull, accEmpty] = [
      each('full'),
      each('empty'),
      each('accFull'),
      each('accEmpty'),
    ];
    const clcFull = each('clcFull');
    const readers = is('response empty counts the threads')
      ? 96
      : is('response empty counts two readers')
        ? 2
        : 4;
    const clcEmpty = each('clcEmpty', readers);
    const [throttleFull, throttleEmpty] = [each('throttleFull'), each('throttleEmpty')];
    const [ab, acc, response] = [buffers('ab'), buffers('acc'), buffers('response')];
    const isValid = Array.from({ length: STAGES }, (_, at) => cell(`isValid[${at}]`, 0));

    function* fetch({ slot, phase }: Lap, releases = true) {
      yield* waitParity(clcFull[slot]!, phase);
      if (is('response is released before it is read')) arrive(clcEmpty[slot]!);
      read(response[slot]!);
      const more = (yield* loadCell(isValid[slot]!)) === 1;
      if (releases && !is('response is released before it is read')) arrive(clcEmpty[slot]!);
      return more;
    }

    const scheduler = role('scheduler', { lanes: 32 }, function* () {
      yield* loop(FIRST, function* (at) {
        const { slot, phase } = at;
        yield* waitParity(
          throttleFull[slot]!,
          is('throttle starts with parity 0') ? phase ^ 1 : phase,
        );
        arrive(throttleEmpty[slot]!);
        yield* waitParity(clcEmpty[slot]!, phase ^ 1);
        const more = yield* choose(2);
        if (!is('response is not expected')) arrive(clcFull[slot]!, { bytes: RESPONSE });
        asyncCopy(UNITS.clc, {
          into: [response[slot]!],
          bar: clcFull[slot]!,
          bytes: RESPONSE,
          cell: isValid[slot]!,
          value: more,
        });
        const isMore = yield* fetch(at);
        return isMore ? next(at) : end(null);
      });
    });

    const load = role('load', { lanes: 32 }, function* () {
      yield* loop({ at: FIRST, k: FIRST }, function* ({ at, k }) {
        const { slot, phase } = at;
        yield* waitParity(throttleEmpty[slot]!, phase ^ 1);
        if (!is('throttle is not signaled')) arrive(throttleFull[slot]!);
        let now = k;
        for (let step = 0; step < STEPS; step++) {
          yield* waitParity(empty[now.slot]!, now.phase ^ 1);
          arrive(full[now.slot]!, { bytes: BYTES });
          asyncCopy(UNITS.tma, { into: [ab[now.slot]!], bar: full[now.slot]!, bytes: BYTES });
          now = next(now);
        }
        const isMore = yield* fetch(at, !is('load leaves without a release'));
        return isMore ? { at: next(at), k: now } : end(null);
      });
    });

    const mma = role('mma', { lanes: 32 }, function* () {
      yield* loop({ at: FIRST, k: FIRST }, function* ({ at, k }) {
        const { slot, phase } = at;
        if (!is('MMA skips the accumulator wait')) yield* waitParity(accEmpty[slot]!, phase ^ 1);
        let now = k;
        for (let step = 0; step < STEPS; step++) {
          yield* waitParity(full[now.slot]!, now.phase);
          asyncUse(UNITS.mma, { reads: [ab[now.slot]!], writes: [acc[slot]!] });
          commit(UNITS.mma, empty[now.slot]!);
          now = next(now);
        }
        commit(UNITS.mma, accFull[slot]!);
        const isMore = yield* fetch(at);
        return isMore ? { at: next(at), k: now } : end(null);
      });
    });

    const epilogue = role('epilogue', { lanes: 128 }, function* () {
      yield* loop(FIRST, function* (at) {
        const { slot, phase } = at;
        yield* waitParity(accFull[slot]!, is('epilogue phase does not flip') ? 0 : phase);
        if (is('accumulator is released before it is read')) arrive(accEmpty[slot]!);
        read(acc[slot]!);
        if (!is('accumulator is released before it is read')) arrive(accEmpty[slot]!);
        const isMore = yield* fetch(at, !is('epilogue does not release the response'));
        return isMore ? next(at) : end(null);
      });
    });
    return [scheduler, load, mma, epilogue];
  });
}
