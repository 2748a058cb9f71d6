// The barriers of one pipeline are initialized without the fence that the other pipelines have.
// CUTLASS pipelines initialize their barriers in the constructor, each from a warp of its own; four
// of them left out fence_barrier_init after it. With clusters a relaxed arrival at the cluster
// barrier follows, which carries no memory: a CTA can arrive at a barrier of its neighbor which for
// it is not initialized yet. (The thread is the change alone; that two pipelines of a multicast
// kernel differ is modeled.)
// The fix: the fence, after the initialization.
// https://github.com/NVIDIA/cutlass/pull/2030
import {
  arrive,
  arriveCluster,
  asyncCopy,
  barrier,
  buffer,
  fence,
  init,
  kernel,
  read,
  role,
  syncCluster,
  UNITS,
  wait,
  waitCluster,
} from 'poundlock';

const CLUSTER = [0, 1];
const BYTES = 8192;

export default kernel('two-pipelines', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const pipelineOf = (name: string) => ({
    halves: CLUSTER.map((cta) => buffer(`${name}.half${cta}`)),
    full: barrier(`${name}.full`, { count: 0 }),
    empty: barrier(`${name}.empty`, { count: 0 }),
  });
  const [ab, c] = [pipelineOf('ab'), pipelineOf('c')];

  const load = (name: string, { halves, full, empty }: typeof ab, cta: number, fenced: boolean) =>
    role(`${name}${cta}`, { cta }, function* () {
      init(full, 1);
      init(empty, CLUSTER.length);
      if (fenced) fence('mbarrier.init');
      arriveCluster({ sem: 'relaxed' });
      yield* waitCluster();
      for (let k = 0; k < tiles; k++) {
        yield* wait(empty, k - 1, { scope: 'cluster' }); // both CTAs are done with their tiles
        arrive(full, { bytes: BYTES * CLUSTER.length });
        asyncCopy(UNITS.tma, { into: [halves[cta]!], bar: full, bytes: BYTES, ctas: CLUSTER });
      }
      yield* wait(empty, tiles - 1, { scope: 'cluster' });
      yield* syncCluster();
    });

  const math = (cta: number) =>
    role(`math${cta}`, { cta }, function* () {
      arriveCluster({ sem: 'relaxed' });
      yield* waitCluster();
      for (let k = 0; k < tiles; k++) {
        for (const { halves, full, empty } of [ab, c]) {
          yield* wait(full, k);
          for (const half of halves) read(half);
          for (const other of CLUSTER) arrive(empty, { cta: other, scope: 'cluster' });
        }
      }
      yield* syncCluster();
    });

  return CLUSTER.flatMap((cta) => [
    load('loadAB', ab, cta, true),
    load('loadC', c, cta, fixed),
    math(cta),
  ]);
});
