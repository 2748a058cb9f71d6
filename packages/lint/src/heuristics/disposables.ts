// Whose the disposable result of a call is, where only its type says that it is disposable.
import type { CallTarget } from '../flow/world.ts';
import type { ObjectShape } from '../oracle.ts';
import { creates, looksUp } from '../obligations/vocabulary.ts';
import type { CallExpression, FunctionNode } from '../syntax/node.ts';
import type { IsOn } from './index.ts';
import { endsByItself, isEmitter, isNoResource, isOfEnd, mayEndAlone } from './self-ending.ts';
import { subscribes } from './subscriptions.ts';

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
  /** The type of the object whose method is called. */
  readonly receiver: ObjectShape | undefined;
  /** The types of that object and of those that it was read from: `panel` of `panel.webview`. */
  readonly holders: readonly ObjectShape[];
}

export function disposableOwner(found: DisposableResult, isOn: IsOn): DisposableOwner {
  const { call, target, result } = found;
  const [type] = result.names;
  const name = target.name ?? '';
  if (isNoResource(type, result.properties)) return 'other';
  if (isOn('lookup-verbs') && isLookUp(call, target)) return 'other';
  const isListening = subscribes(call);
  const { properties } = result;
  const endsAlone = isOn('self-ending') && mayEndAlone(properties);
  if (isOn('self-ending') && isListening && isOfEnd(name)) return 'other';
  const isListener = isOn('subscriptions') && isListening && !creates(name);
  if (isListener) return ofSubscription(found, endsAlone);
  const isHeld = isOn('emitters') && isEmitter(properties);
  if (endsAlone || isHeld || (isOn('parts') && isPart(found))) return 'proven';
  return isWanted(call, name) ? 'owned' : 'proven';
}

/** A function without a body whose name says that it looks something up. */
function isLookUp({ isNew }: CallExpression, { name = '', fn }: CallTarget): boolean {
  return !isNew && looksUp(name) && fn?.body === undefined;
}

function isWanted({ isNew, bound }: CallExpression, name: string): boolean {
  return isNew || creates(name) || bound !== undefined;
}

/** `controller.createRunProfile(…)`: what a disposable object makes may end with it. */
function isPart({ call, receiver }: DisposableResult): boolean {
  return !call.isNew && receiver !== undefined && receiver.disposal.length > 0;
}

/** A subscription that is dropped is reported, as a note where it ends with its emitter. */
function ofSubscription(found: DisposableResult, endsAlone: boolean): DisposableOwner {
  const { call, within, holders } = found;
  const isBound = call.bound !== undefined || within === 'field';
  if (isBound) return endsAlone ? 'proven' : 'owned';
  // It ends with an emitter that ends by itself: a token, a panel.
  return holders.some(({ properties }) => endsByItself(properties)) ? 'other' : 'owned';
}
