// Attention with a load-compute-store pipeline: consumers' warps finish inputs, and write outputs.
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

export type KittensBug =
  | 'none'
  | 'inputs finished counts warpgroups'
  | 'one warp of the last consumer does not arrive'
  | 'Q is overwritten while a store reads it'
  | 'inputs are finished before the MMA is done'
  | 'outputs are not waited for'
  | 'store warp takes one tile more'
  | 'phase bits are never flipped'
  | 'first load waits'
  | 'expect for K alone';

const STAGES = 2;
const BLOCKS = 3;
const TILES = 2;
const CONSUMERS = 2;
const WARPS = 4;
const BYTES = 16_384;

export function kittensAttentionSm90(bug: KittensBug): Kernel {
  const is = (one: KittensBug): boolean => bug === one;
  return kernel('kittens-attention-sm90', {}, () => {
    const stages = Array.from({ length: STAGES }, (_, at) => at);
    const arrived = stages.map((at) => barrier(`inputs_arrived[${at}]`));
    const count = is('inputs finished counts warpgroups') ? CONSUMERS : CONSUMERS * WARPS;
    const finished = stages.map((at) => barrier(`inputs_finished[${at}]`, { count }));
    const outArrived = barrier('outputs_arrived', { count: CONSUMERS });
    const outFinished = barrier('outputs_finished');
    const k = stages.map((at) => buffer(`k[${at}]`));
    const v = stages.map((at) => buffer(`v[${at}]`));
    const out = [buffer('o[0]'), buffer('o[1]')];

    const load = role('load', { lanes: 32 }, function* () {
      for (let n = 0; n < TILES * BLOCKS; n++) {
        const stage = n % STAGES;
        const lap = is('phase bits are never flipped') ? 0 : Math.floor(n / STAGES);
        yield* waitParity(finished[stage]!, (lap + (is('first load waits') ? 0 : 1)) % 2);
        const bar = arrived[stage]!;
        arrive(bar, { bytes: is('expect for K alone') ? BYTES : 2 * BYTES });
        asyncCopy(UNITS.tma, { into: [k[stage]!], bar, bytes: BYTES });
        asyncCopy(UNITS.tma, { into: [v[stage]!], bar, bytes: BYTES });
      }
    });

    const consumer = (wg: number) =>
      role(`consumer${wg}`, { lanes: 128 }, function* () {
        for (let tile = 0, n = 0; tile < TILES; tile++) {
          for (let block = 0; block < BLOCKS; block++, n++) {
            const stage = n % STAGES;
            yield* waitParity(arrived[stage]!, Math.floor(n / STAGES) % 2);
            asyncUse(UNITS.mma, { reads: [k[stage]!], group: true });
            asyncUse(UNITS.mma, { reads: [v[stage]!], group: true });
            const open = is('inputs are finished before the MMA is done') ? 1 : 0;
            yield* waitGroup(UNITS.mma, open);
            const isShort = wg === 1 && is('one warp of the last consumer does not arrive');
            arrive(finished[stage]!, { count: isShort ? WARPS - 1 : WARPS });
          }
          yield* waitGroup(UNITS.mma, 0);
          if (!is('outputs are not waited for')) yield* waitParity(outFinished, (tile + 1) % 2);
          write(out[wg]!);
          yield* syncNamed(4 + wg, 128);
          arrive(outArrived);
        }
      });

    const store = role('store', { lanes: 32 }, function* () {
      const tiles = TILES + (is('store warp takes one tile more') ? 1 : 0);
      for (let tile = 0; tile < tiles; tile++) {
        yield* waitParity(outArrived, tile % 2);
        asyncUse(UNITS.bulk, { reads: out, group: true });
        const isEarly = is('Q is overwritten while a store reads it');
        if (!isEarly) yield* waitGroup(UNITS.bulk, 0);
        arrive(outFinished);
      }
      yield* waitGroup(UNITS.bulk, 0);
    });
    return [load, consumer(0), consumer(1), store];
  });
}
