// The two CTAs of a cluster work on tiles of different groups, and the groups have different K.
// A grouped GEMM on Hopper multicasts tiles of B within a cluster of two. With an odd number of
// tiles in each group, one pair gets the last tile of one group and the first of the next. After
// the shorter K loop one CTA sends no more halves, and the other waits for them.
// The fix here: multicast only where the tiles of a group can be divided among the cluster.
// https://github.com/deepseek-ai/DeepGEMM/pull/429
import { arrive, kernel, mma, pipeline, role, syncCluster, tma } from 'poundlock';

const CLUSTER = [0, 1];
const STEPS_OF_GROUP = [2, 1];

const defaults = { fixed: false, tilesPerGroup: 1 };

export default kernel('k-grouped-gemm', defaults, ({ fixed, tilesPerGroup }) => {
  const isShared = fixed ? tilesPerGroup % CLUSTER.length === 0 : true;
  const bytes = { lower: 8192, upper: 8192 };
  const b = pipeline('b', { stages: 2, bytes, consumers: isShared ? CLUSTER.length : 1 });
  const reach = (cta: number) => (isShared ? CLUSTER : [cta]);

  const tilesOf = (cta: number) => {
    const all = Array.from({ length: STEPS_OF_GROUP.length * tilesPerGroup }, (_, tile) => tile);
    const own = all.filter((tile) => tile % CLUSTER.length === cta);
    return own.map((tile) => STEPS_OF_GROUP[Math.floor(tile / tilesPerGroup)]!);
  };

  const load = (cta: number) =>
    role(`load${cta}`, { cta }, function* () {
      for (const steps of tilesOf(cta)) {
        for (let k = 0; k < steps; k++) {
          using slot = yield* b.produce();
          tma.expect(slot);
          for (const half of CLUSTER) {
            if (!isShared || half === cta) tma.copy(slot, half, { ctas: reach(cta) });
          }
        }
      }
      yield* b.drain();
      yield* syncCluster();
    });

  const math = (cta: number) =>
    role(`math${cta}`, { cta }, function* () {
      for (const steps of tilesOf(cta)) {
        for (let k = 0; k < steps; k++) {
          using tile = yield* b.consumeExplicit();
          mma.issue(tile);
          yield* mma.waitGroup(0);
          arrive(tile.mbar(), { ctas: reach(cta) });
        }
      }
      yield* syncCluster();
    });

  return CLUSTER.flatMap((cta) => [load(cta), math(cta)]);
});
