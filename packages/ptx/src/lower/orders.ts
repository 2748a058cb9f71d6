// Steps that order threads without a barrier in memory: fences, named barriers, the cluster's.
import { orderOf } from '@poundlock/core/internal/op';
import type { Step } from '../steps/step.ts';
import { fenceLowering } from './maps.ts';
import type { Lowerings, WarpScope } from './warp-scope.ts';

/** The lowerings of fences and meetings. */
export function orderLowerings(
  scope: WarpScope,
): Lowerings<'fence' | 'named' | 'clusterArrive' | 'clusterWait'> {
  const { actions, run, warp } = scope;
  // Where several clusters are executed, each has a barrier of its own, which counts.
  const counter = run.words.counterOfCluster(warp.cta);
  let phase = 0;
  const cluster = ({
    op: kind,
    at,
    sem,
    scope: reach,
  }: Extract<Step, { op: 'clusterArrive' | 'clusterWait' }>): void => {
    const order = orderOf(sem, reach);
    if (counter === null) actions.push({ kind, at, order });
    else if (kind === 'clusterArrive')
      actions.push({ kind: 'signal', at, counter, arrivals: 1, order });
    else actions.push({ kind: 'poll', at, counter, phase: phase++, order });
  };
  return {
    fence: fenceLowering(scope),
    named: ({ at, id, threads, arriving, isPartOfWarp = false, isSync }) =>
      actions.push({ kind: 'named', at, id, threads, arriving, isPartOfWarp, isSync }),
    clusterArrive: cluster,
    clusterWait: cluster,
  };
}
