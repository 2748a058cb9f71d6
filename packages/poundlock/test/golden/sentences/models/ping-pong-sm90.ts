// A ping-pong GEMM of Hopper: two warpgroups in turns, and an epilogue that stores through a ring.
import {
  arrive,
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

export type PingPongBug =
  | 'none'
  | 'order starts with the second warpgroup too'
  | 'order is not passed on after the mainloop'
  | 'order counts threads'
  | 'warpgroups take the same tiles'
  | 'state is not advanced past the other tile'
  | 'store slot is reused too early'
  | 'store is issued before the warps have written'
  | 'last store is not awaited'
  | 'epilogue barrier is shared by both'
  | 'producer leaves out the last tile';

const STAGES = 2;
const TILES = 4;
const STEPS = 3;
const SUBTILES = 2;
const SLOTS = 1;
const BYTES = 32_768;

export function pingPongSm90(bug: PingPongBug): Kernel {
  const is = (one: PingPongBug): boolean => bug === one;
  return kernel('ping-pong-sm90', {}, () => {
    const stages = Array.from({ length: STAGES }, (_, at) => at);
    const full = stages.map((at) => barrier(`full[${at}]`));
    const empty = stages.map((at) => barrier(`empty[${at}]`));
    const ab = stages.map((at) => buffer(`ab[${at}]`));
    const count = is('order counts threads') ? 128 : 1;
    const order = ['mainloop', 'epilogue'].map((what) =>
      [0, 1].map((wg) => barrier(`order.${what}[${wg}]`, { count })),
    );
    const out = [0, 1].map((wg) => buffer(`sD[${wg}]`));

    const load = role('load', { lanes: 32 }, function* () {
      const all = (TILES - (is('producer leaves out the last tile') ? 1 : 0)) * STEPS;
      for (let k = 0; k < all; k++) {
        const stage = k % STAGES;
        yield* waitParity(empty[stage]!, (Math.floor(k / STAGES) + 1) % 2);
        arrive(full[stage]!, { bytes: BYTES });
        asyncCopy(UNITS.tma, { into: [ab[stage]!], bar: full[stage]!, bytes: BYTES });
      }
    });

    const group = (wg: number) =>
      role(`wg${wg}`, { lanes: 128 }, function* () {
        const first = wg === 0 || is('order starts with the second warpgroup too') ? 1 : 0;
        let turn = 0;
        let stores = 0;
        for (let tile = is('warpgroups take the same tiles') ? 0 : wg; tile < TILES; tile += 2) {
          const [mine, theirs] = [wg, 1 - wg];
          yield* waitParity(order[0]![mine]!, (turn + first) % 2);
          const from = is('state is not advanced past the other tile')
            ? Math.floor(tile / 2) * STEPS
            : tile * STEPS;
          for (let k = from; k < from + STEPS; k++) {
            const stage = k % STAGES;
            yield* waitParity(full[stage]!, Math.floor(k / STAGES) % 2);
            asyncUse(UNITS.mma, { reads: [ab[stage]!], group: true });
            yield* waitGroup(UNITS.mma, 0);
            arrive(empty[stage]!);
          }
          const isWithheld = wg === 1 && is('order is not passed on after the mainloop');
          if (!isWithheld) arrive(order[0]![theirs]!);
          yield* waitParity(order[1]![mine]!, (turn + first) % 2);
          const id = is('epilogue barrier is shared by both') ? 1 : 1 + wg;
          for (let subtile = 0; subtile < SUBTILES; subtile++, stores++) {
            if (!is('store slot is reused too early')) yield* waitGroup(UNITS.bulk, SLOTS - 1);
            yield* syncNamed(id, is('epilogue barrier is shared by both') ? 256 : 128);
            const isEarly = is('store is issued before the warps have written');
            if (isEarly) asyncUse(UNITS.bulk, { reads: [out[wg]!], group: true });
            write(out[wg]!);
            yield* syncNamed(id, is('epilogue barrier is shared by both') ? 256 : 128);
            if (!isEarly) asyncUse(UNITS.bulk, { reads: [out[wg]!], group: true });
          }
          arrive(order[1]![theirs]!);
          turn++;
        }
        if (!(wg === 1 && is('last store is not awaited'))) yield* waitGroup(UNITS.bulk, 0);
      });
    return [load, group(0), group(1)];
  });
}
