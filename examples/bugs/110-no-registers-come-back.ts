// Warpgroups ask for more registers, and none gives any back.
// Backward attention of two CTAs in Helion: the two compute warpgroups go up to 168 registers. Of
// the reduce warpgroup, and of that with the MMA, load and empty warps, nothing was said, so the
// pool stays empty. It did not show until a compiler option made setmaxnreg effective: then the
// kernel spun forever.
// The fix: the reduce warps go down to 80 and the other ones to 88, 80 + 2 x 168 + 88 = 504.
// https://github.com/pytorch/helion/pull/3620
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  pipeline,
  registers,
  role,
  setMaxRegisters,
  tma,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

const THREADS = 4 * 128;
const COMPUTE = [0, 1];

export default kernel('flash-bwd-2cta', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  registers({ perThread: 65_536 / THREADS, threads: THREADS });
  const qdo = pipeline('qdO', { stages: 2, bytes: 32_768 });
  const scores = buffer('S', { space: 'tmem' });
  const dQ = buffer('dQ', { space: 'tmem' });
  const full = barrier('full');
  const computed = barrier('computed', { count: COMPUTE.length });
  const reduced = barrier('reduced');

  // The warps of one warpgroup: the load, the MMA, and two that are empty.
  const mma = role('mma', { warps: 4 }, function* () {
    if (fixed) yield* setMaxRegisters('dec', 88);
    for (let block = 0; block < blocks; block++) {
      using slot = yield* qdo.produce();
      tma.load(slot);
      using tile = yield* qdo.consumeExplicit();
      yield* wait(reduced, block - 1);
      yield* wait(computed, block - 1);
      asyncUse(UNITS.tcgen05, { reads: tile.buffers, writes: [scores, dQ] });
      commit(UNITS.tcgen05, full);
      commit(UNITS.tcgen05, tile.mbar());
    }
  });

  const compute = (group: number) =>
    role(`compute${group}`, { warps: 4 }, function* () {
      yield* setMaxRegisters('inc', 168);
      for (let block = 0; block < blocks; block++) {
        yield* wait(full, block);
        asyncUse(UNITS.tcgen05Ld, { reads: [scores] });
        yield* waitGroup(UNITS.tcgen05Ld, 0);
        arrive(computed);
      }
    });

  const reduce = role('reduce', { warps: 4 }, function* () {
    if (fixed) yield* setMaxRegisters('dec', 80);
    for (let block = 0; block < blocks; block++) {
      yield* wait(full, block);
      asyncUse(UNITS.tcgen05Ld, { reads: [dQ] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      arrive(reduced);
    }
  });

  return [mma, ...COMPUTE.map((group) => compute(group)), reduce];
});
