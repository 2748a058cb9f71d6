// Optional callbacks: handles passed to a callback only if it exists.
import { keepsArgument } from '../obligations/vocabulary.ts';
import { walkOwn } from '../syntax/children.ts';
import type { CallExpression, Expression, If } from '../syntax/node.ts';
import { factKey } from './conditions.ts';
import { reachableFrom } from './reach.ts';
import { withInstance, type FlowState } from './state.ts';

/**
 * `if (typeof done === 'function') done(handle)`, `if (owner.list) owner.list.push(handle)`:
 * without a callback or an owner, the handle is not tracked.
 */
export function withoutCallback({ test, then }: If, state: FlowState): FlowState {
  const subject = testedCallback(test);
  const key = subject && factKey(subject);
  if (key === undefined || state.instances.size === 0) return state;
  let next = state;
  walkOwn(then, (node) => {
    if (node.kind !== 'call') return;
    const isTaken = factKey(node.callee) === key || isTakenBy(node.callee, key);
    if (isTaken) next = releaseUntaken(node, next);
  });
  return next;
}

/** `owner.list.push`, for the key of `owner` or `owner.list`. */
function isTakenBy(callee: Expression, key: string): boolean {
  if (callee.kind !== 'member' || !keepsArgument(callee.name ?? '')) return false;
  for (let at = callee.object; ; at = at.object) {
    if (factKey(at) === key) return true;
    if (at.kind !== 'member') return false;
  }
}

/** `done?.(handle)`, where there is no `done`. */
export function releaseUntaken({ args }: CallExpression, state: FlowState): FlowState {
  let next = state;
  for (const each of args) {
    const value = each.kind === 'name' && each.variable && state.env.get(each.variable);
    for (const id of value ? reachableFrom(state, [value]).instances : []) {
      if (state.instances.get(id)?.status === 'live') {
        next = withInstance(next, id, { status: 'escaped' });
      }
    }
  }
  return next;
}

/** `done` of `done`, of `typeof done === 'function'` and of `done !== undefined`. */
function testedCallback(test: Expression): Expression | undefined {
  if (test.kind === 'name' || test.kind === 'member') return test;
  if (test.kind !== 'binary' || test.right.kind !== 'literal') return undefined;
  if (test.left.kind === 'unary' && test.left.operator === 'typeof') {
    return test.right.value === 'function' ? test.left.operand : undefined;
  }
  const isAbsent = test.right.value === undefined || test.right.value === null;
  return test.operator.startsWith('!') && isAbsent ? testedCallback(test.left) : undefined;
}
