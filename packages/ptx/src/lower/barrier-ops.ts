// Actions on mbarriers and meetings of threads as operations.
import { makeOp, OpKind, WARP } from '@poundlock/core/internal/op';
import type { ActionOf } from './plan.ts';
import { reach } from './player.ts';
import type { OpsOf } from './player.ts';

/** Operations on mbarriers. */
export const BARRIER_OPS: OpsOf<
  'init' | 'invalidate' | 'arrive' | 'drop' | 'expect' | 'complete' | 'wait'
> = {
  init: ({ barriers }, { barrier, count: arrivals }) => [
    makeOp(OpKind.init, { barrier: barriers[barrier]!, arrivals }),
  ],
  invalidate: ({ barriers }, { barrier }) => [
    makeOp(OpKind.invalidate, { barrier: barriers[barrier]! }),
  ],
  arrive: ({ barriers }, { barrier, rank, arrivals, bytes, order }, own) => {
    const ctas = reach([rank], own);
    const target = { barrier: barriers[barrier]!, ctas, order };
    return [makeOp(OpKind.arrive, { ...target, arrivals, lanes: 1, bytes })];
  },
  drop: ({ barriers }, { barrier, arrivals, order }) => [
    makeOp(OpKind.arriveDrop, { barrier: barriers[barrier]!, arrivals, order }),
  ],
  expect: ({ barriers }, { barrier, rank, bytes, order }, own) => [
    makeOp(OpKind.expectTx, {
      barrier: barriers[barrier]!,
      bytes,
      ctas: reach([rank], own),
      order,
    }),
  ],
  complete: ({ barriers }, { barrier, rank, bytes, order }, own) => [
    makeOp(OpKind.completeTx, {
      barrier: barriers[barrier]!,
      bytes,
      ctas: reach([rank], own),
      order,
    }),
  ],
  wait: ({ barriers }, { barrier, parity, order }) => [
    makeOp(OpKind.waitParity, { barrier: barriers[barrier]!, parity, order }),
  ],
};

/** Operations of meetings, fences and registers. */
export const ORDER_OPS: OpsOf<
  'named' | 'clusterArrive' | 'clusterWait' | 'fence' | 'giveRegisters' | 'takeRegisters'
> = {
  giveRegisters: (_player, { perThread, isPartial }) => [
    makeOp(OpKind.giveRegisters, { perThread, threads: WARP, isPartial }),
  ],
  takeRegisters: (_player, { perThread, isPartial }) => [
    makeOp(OpKind.takeRegisters, { perThread, threads: WARP, isPartial }),
  ],
  named: (_player, action) => [
    action.isSync
      ? makeOp(OpKind.syncNamed, gathering(action))
      : makeOp(OpKind.arriveNamed, gathering(action)),
  ],
  clusterArrive: (_player, { order }) => [makeOp(OpKind.arriveCluster, { order })],
  clusterWait: (_player, { order }) => [makeOp(OpKind.waitCluster, { order })],
  fence: ({ mapIds }, { fence, space, order, map }) => [
    makeOp(OpKind.fence, { fence, space, order, map: map === null ? null : mapIds[map]! }),
  ],
};

function gathering({ id, threads, arriving, isPartOfWarp }: ActionOf<'named'>) {
  const args = { named: id, threads, lanes: arriving };
  return isPartOfWarp ? { ...args, isPartOfWarp } : args;
}
