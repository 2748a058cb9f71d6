// Steps on mbarriers: initialized, arrived at, waited for.
import { AUTO, orderOf } from '@poundlock/core/internal/op';
import { rankOf } from '../steps/step.ts';
import type { Step } from '../steps/step.ts';
import { lanesText } from '../text/names.ts';
import { bytesOf } from './barrier-bytes.ts';
import { NOTHING } from './warp-scope.ts';
import type { Lowerings, WarpScope } from './warp-scope.ts';

type Arrive = Extract<Step, { op: 'arrive' }>;
type AsyncArrive = Extract<Step, { op: 'asyncArrive' }>;

/** The lowerings of steps on mbarriers. */
export function barrierLowerings(
  scope: WarpScope,
): Lowerings<
  'init' | 'invalidate' | 'arrive' | 'expect' | 'complete' | 'wait' | 'asyncArrive' | 'lanes'
> {
  const { actions } = scope;
  /** I05: barriers of its own CTA whose bytes are also data are memory that it touches. */
  const touch = (at: number, barrier: number, isWrite: boolean): void => {
    if (rankOf(barrier) !== scope.warp.cta || !scope.run.bytes.areData(barrier)) return;
    const uses = scope.uses(bytesOf(barrier), scope.agents.own, isWrite);
    const access = isWrite ? { reads: NOTHING, writes: uses } : { reads: uses, writes: NOTHING };
    actions.push({ kind: 'access', at, ...access });
  };
  const transaction = ({
    op: kind,
    at,
    barrier,
    bytes,
    sem,
    scope: reach,
  }: Extract<Step, { op: 'expect' | 'complete' }>): void => {
    const order = orderOf(sem, reach);
    const target = { barrier: scope.barrier(barrier), rank: rankOf(barrier) };
    touch(at, barrier, false);
    actions.push({ kind, at, ...target, bytes, order });
  };
  return {
    init: ({ at, barrier, count }) => {
      touch(at, barrier, true);
      actions.push({ kind: 'init', at, barrier: scope.barrier(barrier), count });
    },
    invalidate: ({ at, barrier }) => {
      actions.push({ kind: 'invalidate', at, barrier: scope.barrier(barrier) });
      // It leaves no value that anyone could see.
      touch(at, barrier, false);
    },
    arrive: (step) => {
      touch(step.at, step.barrier, false);
      arrive(scope, step);
    },
    expect: transaction,
    complete: transaction,
    wait: ({ at, barrier, parity, sem, scope: reach }) => {
      const order = orderOf(sem, reach);
      actions.push({ kind: 'wait', at, barrier: scope.barrier(barrier), parity, order });
      // It may be tried until it passes.
      touch(at, barrier, false);
    },
    asyncArrive: (step) => asyncArrive(scope, step),
    lanes: ({ at, missing }) => {
      const what = lanesText(missing);
      const why = `${scope.name} exchanges data with ${what}, which never come to the same place`;
      const name = `${scope.name}'s exchange with ${what}`;
      const barrier = scope.run.numbers.never(name, { what, why });
      actions.push({ kind: 'wait', at, barrier, parity: 0, order: AUTO });
    },
  };
}

function arrive(scope: WarpScope, step: Arrive): void {
  const { at, arrivals, expect } = step;
  const order = orderOf(step.sem, step.scope);
  const target = { at, barrier: scope.barrier(step.barrier), order };
  const rank = rankOf(step.barrier);
  if (!step.isDrop)
    return void scope.actions.push({ kind: 'arrive', ...target, rank, arrivals, bytes: expect });
  if (expect > 0) scope.actions.push({ kind: 'expect', ...target, rank, bytes: expect });
  scope.actions.push({ kind: 'drop', ...target, arrivals });
}

/**
 * Arrivals once the earlier copies are complete. Those that are not among the expected ones raise
 * the pending count until then: together they are one.
 */
function asyncArrive(scope: WarpScope, { at, barrier, arrivals, isCounted }: AsyncArrive): void {
  const target = { at, barrier: scope.barrier(barrier), unit: 'cpAsync', ranks: [] } as const;
  const count = isCounted ? arrivals : 1;
  for (let index = 0; index < count; index++)
    scope.actions.push({ kind: 'commit', ...target, adds: !isCounted });
}
