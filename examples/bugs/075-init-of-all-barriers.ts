// A compiler initializes all barriers of a kernel at its start, and puts no fence after them.
// TileLang lowers the list of barriers to initializations by one thread and a barrier of the block.
// Where another CTA uses them, that is not enough: they have to be released at cluster scope. (The
// thread speaks of the cluster in general; that the CTAs meet by a relaxed arrival, and that a copy
// to both of them is the first use, is modeled. In one CTA nothing is wrong from PTX 9.3 on.)
// The fix: fence.mbarrier_init.release.cluster after the last initialization.
// https://github.com/tile-ai/tilelang/pull/1121
import {
  arrive,
  arriveCluster,
  asyncCopy,
  barrier,
  buffer,
  fence,
  init,
  kernel,
  namedBarrier,
  read,
  role,
  syncCluster,
  syncNamed,
  UNITS,
  wait,
  waitCluster,
} from 'poundlock';

const CLUSTER = [0, 1];
const STAGES = 2;
const BYTES = 8192;

export default kernel('copy-cluster', { fixed: false, tiles: 3 }, ({ fixed, tiles }) => {
  const stages = Array.from({ length: STAGES }, (_, s) => buffer(`shared[${s}]`, { bytes: BYTES }));
  const mbarrier = Array.from({ length: 2 * STAGES }, (_, i) =>
    barrier(`mbarrier[${i}]`, { count: 0 }),
  );
  const [full, empty] = [mbarrier.slice(0, STAGES), mbarrier.slice(STAGES)];
  const block = namedBarrier('block', { id: 0, threads: 64 });

  const producer = (cta: number) =>
    role(`producer${cta}`, { cta, lanes: 32 }, function* () {
      for (const one of full) init(one, 1);
      for (const one of empty) init(one, CLUSTER.length);
      if (fixed) fence('mbarrier.init');
      yield* syncNamed(block);
      arriveCluster({ sem: 'relaxed' });
      yield* waitCluster();
      for (let tile = 0; tile < tiles; tile++) {
        const [s, lap] = [tile % STAGES, Math.floor(tile / STAGES)];
        // CTA 0 alone copies, for both.
        if (cta === 0) yield* wait(empty[s]!, lap - 1, { scope: 'cluster' });
        if (cta !== 0 && lap > 0) yield* wait(full[s]!, lap - 1);
        arrive(full[s]!, { bytes: BYTES });
        if (cta > 0) continue;
        asyncCopy(UNITS.tma, { into: [stages[s]!], bar: full[s]!, bytes: BYTES, ctas: CLUSTER });
      }
      yield* syncCluster();
    });

  const consumer = (cta: number) =>
    role(`consumer${cta}`, { cta, lanes: 32 }, function* () {
      yield* syncNamed(block);
      arriveCluster({ sem: 'relaxed' });
      yield* waitCluster();
      for (let tile = 0; tile < tiles; tile++) {
        const [s, lap] = [tile % STAGES, Math.floor(tile / STAGES)];
        yield* wait(full[s]!, lap);
        read(stages[s]!);
        arrive(empty[s]!, { cta: 0, scope: 'cluster' });
      }
      yield* syncCluster();
    });

  return CLUSTER.flatMap((cta) => [producer(cta), consumer(cta)]);
});
