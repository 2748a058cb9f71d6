// The MMA of a CTA pair reads the scale factors of both CTAs, and its warp waits for the half that
// its own CTA has loaded.
// Each CTA loads its half of SFB with a TMA copy that counts on a barrier of its own. The leader
// waits for its barrier alone before the copy to tensor memory that reads both halves; the barrier
// of the peer is waited for by nothing (compute-sanitizer: missing wait).
// The fix here: a warp of the peer waits for its half and arrives at a barrier of the leader.
// https://github.com/NVIDIA/cutlass/issues/3643
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  role,
  syncCluster,
  UNITS,
  wait,
} from 'poundlock';

const BYTES = 2048;
const PAIR = [0, 1];

export default kernel('mma-blockscale-m128', { fixed: false, tiles: 1 }, ({ fixed, tiles }) => {
  const sSFB = buffer('sSFB');
  const tSFB = buffer('tSFB', { space: 'tmem' });
  const full = barrier('sfb_full');
  const relayed = barrier('relayed'); // the one of CTA 0 is used
  const empty = barrier('sfb_empty');

  const load = (cta: number) =>
    role(`load${cta}`, { cta }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        if (tile > 0) yield* wait(empty, tile - 1);
        arrive(full, { bytes: BYTES });
        asyncCopy(UNITS.tma, { into: [sSFB], bar: full, bytes: BYTES });
        if (!fixed || cta === 0) continue;
        yield* wait(full, tile);
        arrive(relayed, { cta: 0 });
      }
      yield* wait(empty, tiles - 1);
      yield* syncCluster();
    });

  const mma = role('mma', { cta: 0 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(full, tile);
      if (fixed) yield* wait(relayed, tile);
      asyncUse(UNITS.tcgen05, { reads: [sSFB], writes: [tSFB], ctas: PAIR });
      commit(UNITS.tcgen05, empty, { ctas: PAIR });
    }
    yield* syncCluster();
  });

  return [load(0), load(1), mma];
});
