// Whose the disposable result of a call is, where only its type says that it is disposable.
import type { CallTarget } from '../flow/world.ts';
import type { ObjectShape } from '../oracle.ts';
import { creates, looksUp } from '../obligations/vocabulary.ts';
import type { CallExpression, Expression, FunctionNode } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { IsOn } from './index.ts';
import { endsByItself, isNoResource } from './self-ending.ts';

/**
 * `owned`: the caller has to release it. `proven`: only if it releases it on another path.
 * `other`: it has another owner, or none.
 */
export type DisposableOwner = 'owned' | 'proven' | 'other';

export interface DisposableResult {
  readonly call: CallExpression;
  /** The code around the call. */
  readonly within: FunctionNode | 'field' | 'module';
  readonly target: CallTarget;
  readonly result: ObjectShape;
}

export function disposableOwner(found: DisposableResult, isOn: IsOn): DisposableOwner {
  const { call, target, result } = found;
  const [type] = result.names;
  const name = target.name ?? '';
  if (isNoResource(type?.name ?? '', result.properties)) return 'other';
  if (isOn('lookup-verbs') && !call.isNew && looksUp(name) && target.fn?.body === undefined)
    return 'other';
  const isSubscription = isOn('subscriptions') && !call.isNew && call.args.some(isFunction);
  const endsAlone = isOn('self-ending') && endsByItself(result.properties);
  if (isSubscription && !creates(name)) return ofSubscription(found, endsAlone);
  if (endsAlone) return 'proven';
  const isWanted = call.isNew || creates(name) || call.bound !== undefined;
  return isWanted ? 'owned' : 'proven';
}

function isFunction(node: Expression): boolean {
  return node.kind === 'function';
}

/** A subscription ends with its emitter, unless the emitter outlives the function. */
function ofSubscription({ call, within }: DisposableResult, endsAlone: boolean): DisposableOwner {
  const isBound = call.bound !== undefined || within === 'field';
  if (isBound) return endsAlone ? 'proven' : 'owned';
  // Code that runs once keeps its listeners.
  const isOnce = within === 'module' || /^(activate|main)$/.test(within.name ?? '');
  if (isOnce) return 'other';
  return isOutside(call.callee) ? 'owned' : 'other';
}

/** Whether the emitter of a subscription is declared outside the function and its object. */
function isOutside(callee: Expression): boolean {
  let root = callee;
  while (root.kind === 'member') root = root.object;
  if (root.kind !== 'name') return false;
  const { variable } = root;
  return variable === undefined || variable.imported !== undefined || isModuleVariable(variable);
}

function isModuleVariable({ home, form }: Variable): boolean {
  return home === undefined || form === 'parameter';
}
