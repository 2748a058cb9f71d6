// Attention as a tile compiler writes it for Hopper: every thread arrives, parities come from loops.
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  expectTx,
  kernel,
  role,
  syncNamed,
  UNITS,
  waitGroup,
  waitParity,
  write,
  type Kernel,
} from 'poundlock';

export type TileBug =
  | 'none'
  | 'expect is left out'
  | 'one thread arrives'
  | 'phase is not carried over tiles'
  | 'parity of the ring for Q'
  | 'causal mask ends the consumer earlier'
  | 'V is released too early'
  | 'V and K share a release barrier'
  | 'empty counts both warpgroups'
  | 'sync has half of the threads'
  | 'output is not stored completely';

const TILES = 2;
const BLOCKS = 3;
const BYTES = 16_384;

export function tileAttentionSm90(bug: TileBug): Kernel {
  const is = (one: TileBug): boolean => bug === one;
  return kernel('tile-attention-sm90', {}, () => {
    const bar = (name: string, count = 128) => barrier(name, { count });
    const qFull = bar('mbar_q_full');
    const [kFull, vFull] = [bar('mbar_k_full'), bar('mbar_v_full')];
    const qEmpty = bar('mbar_q_empty');
    const kEmpty = bar('mbar_k_empty', is('empty counts both warpgroups') ? 256 : 128);
    const vEmpty = bar('mbar_v_empty');
    const [q, k, v, out] = [
      buffer('Q_shared'),
      buffer('K_shared'),
      buffer('V_shared'),
      buffer('O_shared'),
    ];

    const producer = role('producer', { lanes: 128 }, function* () {
      for (let tile = 0; tile < TILES; tile++) {
        yield* waitParity(qEmpty, (tile + 1) % 2);
        expectTx(qFull, BYTES);
        asyncCopy(UNITS.tma, { into: [q], bar: qFull, bytes: BYTES });
        arrive(qFull, { everyLane: true });
        for (let block = 0; block < BLOCKS; block++) {
          const lap = is('phase is not carried over tiles') ? block : tile * BLOCKS + block;
          yield* waitParity(kEmpty, (lap + 1) % 2);
          if (!is('expect is left out')) expectTx(kFull, BYTES);
          asyncCopy(UNITS.tma, { into: [k], bar: kFull, bytes: BYTES });
          arrive(kFull, { everyLane: !is('one thread arrives') });
          yield* waitParity(vEmpty, (lap + 1) % 2);
          expectTx(vFull, BYTES);
          asyncCopy(UNITS.tma, { into: [v], bar: vFull, bytes: BYTES });
          arrive(vFull, { everyLane: true });
        }
      }
    });

    const consumer = role('consumer', { lanes: 128 }, function* () {
      for (let tile = 0; tile < TILES; tile++) {
        const parity = is('parity of the ring for Q') ? (tile * BLOCKS + 1) % 2 : tile % 2;
        yield* waitParity(qFull, parity);
        const blocks = BLOCKS - (is('causal mask ends the consumer earlier') && tile === 0 ? 1 : 0);
        for (let block = 0; block < blocks; block++) {
          const lap = is('phase is not carried over tiles') ? block : tile * BLOCKS + block;
          yield* waitParity(kFull, lap % 2);
          asyncUse(UNITS.mma, { reads: [q, k], group: true });
          yield* waitGroup(UNITS.mma, 0);
          arrive(kEmpty, { everyLane: true });
          yield* waitParity(vFull, lap % 2);
          asyncUse(UNITS.mma, { reads: [v], group: true });
          if (is('V is released too early')) arrive(vEmpty, { everyLane: true });
          yield* waitGroup(UNITS.mma, 0);
          if (is('V and K share a release barrier')) arrive(kEmpty, { everyLane: true });
          else if (!is('V is released too early')) arrive(vEmpty, { everyLane: true });
        }
        arrive(qEmpty, { everyLane: true });
        yield* waitGroup(UNITS.bulk, 0);
        write(out);
        yield* syncNamed(3, is('sync has half of the threads') ? 256 : 128);
        asyncUse(UNITS.bulk, { reads: [out], group: true });
      }
      if (!is('output is not stored completely')) yield* waitGroup(UNITS.bulk, 0);
    });
    return [producer, consumer];
  });
}
