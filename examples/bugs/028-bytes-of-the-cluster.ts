// The bytes that a pair of CTAs delivers are expected once for each CTA of the cluster.
// With cta_group::2 the copies of two CTAs count on the barrier of the even one. The compiler
// multiplies the bytes by the size of the cluster, which is right for a cluster of two. With four
// CTAs twice as much is expected as the pair ever brings. A candidate from reading the compiler:
// its output for a cluster of four expects 65,536 B; no hardware was at hand.
// The fix that the thread asks for: the multiplier is 2.
// https://github.com/tile-ai/tilelang/issues/2644
import { kernel, mma, pipeline, role, tma } from 'poundlock';

const CLUSTER = 4;
const BYTES = 16_384; // of each CTA

export default kernel('gemm-2cta', { fixed: false, steps: 2 }, ({ fixed, steps }) => {
  const ab = pipeline('ab', { stages: 1, bytes: BYTES });

  const load = (cta: number) =>
    role(`load${cta}`, { cta }, function* () {
      for (let k = 0; k < steps; k++) {
        using slot = yield* ab.produce();
        if (cta % 2 === 0) tma.expect(slot, BYTES * (fixed ? 2 : CLUSTER));
        tma.copy(slot, 0, { ctaGroup: 2 });
      }
      yield* ab.drain();
    });

  const multiply = (leader: number) => {
    const pair = [leader, leader + 1];
    return role(`mma${leader}`, { cta: leader }, function* () {
      for (let k = 0; k < steps; k++) {
        using operands = yield* ab.consumeExplicit();
        mma.issue(operands, [], { ctas: pair });
        mma.commit(operands.mbar(), { ctas: pair });
      }
    });
  };

  return [load(0), load(1), multiply(0), load(2), load(3), multiply(2)];
});
