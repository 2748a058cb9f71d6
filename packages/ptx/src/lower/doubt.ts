// Accesses that unknown data decides, and what has to be the case so that one touches given bytes.
import type { Action, Plan } from './plan.ts';
import type { UnknownBytes } from '../steps/step.ts';

/**
 * Data decides whether an access happens, or which bytes it touches: each of them for some data, or
 * perhaps only some of them; or a signal of others decides whether it happens.
 */
export type Doubt = 'happens' | UnknownBytes;

const DEGREES: readonly Doubt[] = ['happens', 'each', 'whether', 'some'];

/** What is in doubt of an access that has both doubts. */
export function worseOf(one: Doubt, other: Doubt): Doubt {
  return DEGREES[Math.max(DEGREES.indexOf(one), DEGREES.indexOf(other))]!;
}

/** A plan without the accesses that unknown data decides: what is done for all data. */
export function withoutDoubt(plan: Plan): Plan {
  const roles = plan.roles.map((role) => ({ ...role, actions: certain(role.actions) }));
  return { ...plan, roles, possible: new Map() };
}

function certain(actions: readonly Action[]): Action[] {
  return actions.flatMap((action): Action[] => {
    if (action.kind === 'last') return [{ ...action, actions: certain(action.actions) }];
    return action.kind === 'access' && action.isPossible === true ? [] : [action];
  });
}
