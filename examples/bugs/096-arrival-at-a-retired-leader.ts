// The follower of a CTA pair arrives at a barrier of the leader when its epilogue is done, and the
// leader may have retired by then.
// The same GEMM as in number 92, seen from a crash on B300: the family check for SM100 lets the
// two-CTA kernel run there, and it dies with Xid 13, CTA not present. Modeled here is the other
// direction: what the follower sends to the leader.
// The fix, in number 92: both CTAs meet at the cluster barrier before they end.
// https://github.com/sgl-project/sglang/issues/34340
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  role,
  syncCluster,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

const PAIR = [0, 1];

export default kernel('tgv-gemm-epilogue', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const accumulator = buffer('accumulator', { space: 'tmem' });
  const full = barrier('acc_full');
  const empty = barrier('acc_empty', { count: PAIR.length }); // the one of the leader is used

  const mma = role('mma', { cta: 0, lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(empty, tile - 1);
      asyncUse(UNITS.tcgen05, { writes: [accumulator], ctas: PAIR });
      commit(UNITS.tcgen05, full, { ctas: PAIR });
    }
    if (fixed) yield* syncCluster();
  });

  const epilogue = (cta: number) =>
    role(`epilogue${cta}`, { cta, lanes: 128 }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        yield* wait(full, tile);
        asyncUse(UNITS.tcgen05Ld, { reads: [accumulator] });
        yield* waitGroup(UNITS.tcgen05Ld, 0);
        arrive(empty, { cta: 0 });
      }
      if (fixed) yield* syncCluster();
    });

  return [mma, epilogue(0), epilogue(1)];
});
