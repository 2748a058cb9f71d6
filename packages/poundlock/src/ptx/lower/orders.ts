// Steps that order threads without a barrier in memory: fences, named barriers, the cluster's.
import { Fence, FenceSpace, orderOf } from '@poundlock/core/internal/op';
import type { Step } from '../steps/step.ts';
import type { Lowerings, WarpScope } from './warp-scope.ts';

/** The lowerings of fences and meetings. */
export function orderLowerings({
  actions,
}: WarpScope): Lowerings<'fence' | 'named' | 'clusterArrive' | 'clusterWait'> {
  const cluster = ({
    op: kind,
    at,
    sem,
    scope,
  }: Extract<Step, { op: 'clusterArrive' | 'clusterWait' }>): void => {
    actions.push({ kind, at, order: orderOf(sem, scope) });
  };
  return {
    fence: ({ at, fence, scope, space }) => {
      // Global memory is not followed.
      if (space === 'global') return;
      const order = orderOf(undefined, scope);
      actions.push({ kind: 'fence', at, fence: Fence[fence], space: FenceSpace.all, order });
    },
    named: ({ at, id, threads, arriving, isPartOfWarp = false, isSync }) =>
      actions.push({ kind: 'named', at, id, threads, arriving, isPartOfWarp, isSync }),
    clusterArrive: cluster,
    clusterWait: cluster,
  };
}
