// Steps that order threads without a barrier in memory: fences, named barriers, the cluster's.
import { orderOf } from '@poundlock/core/internal/op';
import type { Step } from '../steps/step.ts';
import { fenceLowering } from './maps.ts';
import type { Lowerings, WarpScope } from './warp-scope.ts';

/** The lowerings of fences and meetings. */
export function orderLowerings(
  scope: WarpScope,
): Lowerings<'fence' | 'named' | 'clusterArrive' | 'clusterWait'> {
  const { actions } = scope;
  const cluster = ({
    op: kind,
    at,
    sem,
    scope: reach,
  }: Extract<Step, { op: 'clusterArrive' | 'clusterWait' }>): void => {
    actions.push({ kind, at, order: orderOf(sem, reach) });
  };
  return {
    fence: fenceLowering(scope),
    named: ({ at, id, threads, arriving, isPartOfWarp = false, isSync }) =>
      actions.push({ kind: 'named', at, id, threads, arriving, isPartOfWarp, isSync }),
    clusterArrive: cluster,
    clusterWait: cluster,
  };
}
