// Memory orders and scopes of instructions as steps have them.
import type { Scope } from '@poundlock/core/internal/op';
import type { Access, Mbarrier, Order, Scope as IsaScope } from '../../isa/effect.ts';
import type { Ordered } from '../../steps/step.ts';

const SCOPES: Readonly<Record<IsaScope, Scope>> = {
  cta: 'cta',
  cluster: 'cluster',
  gpu: 'gpu',
  // No thread of another device takes part in a launch.
  sys: 'gpu',
};

/** A scope as steps have it. */
export function stepScope(scope: IsaScope): Scope {
  return SCOPES[scope];
}

/** The order of an operation on an mbarrier: release or acquire, or neither. */
export function barrierOrder({ order, scope }: Mbarrier): Ordered {
  return order === 'relaxed' ? { sem: 'relaxed', scope } : { scope };
}

/** The order of an atomic operation: relaxed unless it says more, for all threads of the GPU. */
export function atomicOrder(access: Access): Ordered {
  return orderWith(access, ['acquire', 'release', 'acq_rel']);
}

/** The order of what an operation lets others know. */
export function releaseOrder(access: Access): Ordered {
  return orderWith(access, ['release', 'acq_rel']);
}

/** The order of what an operation learns of others. */
export function acquireOrder(access: Access): Ordered {
  return orderWith(access, ['acquire', 'acq_rel']);
}

function orderWith({ order, scope: named }: Access, strong: readonly Order[]): Ordered {
  const scope = stepScope(named ?? 'gpu');
  return strong.includes(order) ? { scope } : { sem: 'relaxed', scope };
}
