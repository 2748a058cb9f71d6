// A CTA of a pair retires while its peer still reaches into it.
// A GEMM in CuTe DSL syncs its two CTAs at the entry alone, and they work on each other until the
// end: arrivals that are redirected to the peer, commits to both, and a deallocation of tensor
// memory for the pair. Under load the CTA that is later faults (Xid 13, CTA not present). Modeled
// here: a kernel whose rings are drained, so that the deallocation is the last thing to reach the
// peer.
// The fix: arrive at the cluster barrier and wait there, as the last thing in both CTAs.
// https://github.com/sgl-project/sglang/pull/32954
import {
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  pipeline,
  role,
  syncCluster,
  tma,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const BYTES = 16_384; // of one CTA's half
const PAIR = [0, 1];

export default kernel('tgv-gemm', { fixed: false, steps: 2 }, ({ fixed, steps }) => {
  const ab = pipeline('ab', { stages: 2, bytes: BYTES });
  const accumulator = buffer('accumulator', { space: 'tmem' });
  const allocation = buffer('allocation of tmem');
  const full = barrier('acc_full');

  const load = (cta: number) =>
    role(`load${cta}`, { cta, lanes: 32 }, function* () {
      for (let step = 0; step < steps; step++) {
        using slot = yield* ab.produce();
        if (cta === 0) tma.expect(slot, 2 * BYTES);
        tma.copy(slot, 0, { ctaGroup: 2 });
      }
      yield* ab.drain();
      if (fixed) yield* syncCluster();
    });

  const mma = role('mma', { cta: 0, lanes: 32 }, function* () {
    for (let step = 0; step < steps; step++) {
      using tile = yield* ab.consumeExplicit();
      asyncUse(UNITS.tcgen05, { reads: tile.buffers, writes: [accumulator], ctas: PAIR });
      commit(UNITS.tcgen05, tile.mbar(), { ctas: PAIR });
    }
    commit(UNITS.tcgen05, full, { ctas: PAIR });
    if (fixed) yield* syncCluster();
  });

  const epilogue = (cta: number) =>
    role(`epilogue${cta}`, { cta, lanes: 128 }, function* () {
      yield* wait(full, 0);
      asyncUse(UNITS.tcgen05Ld, { reads: [accumulator] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      write(allocation, { cta: 1 - cta }); // tcgen05.dealloc.cta_group::2
      if (fixed) yield* syncCluster();
    });

  return [load(0), load(1), mma, epilogue(0), epilogue(1)];
});
