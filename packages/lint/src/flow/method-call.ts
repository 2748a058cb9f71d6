// Method calls: the kind of the receiver decides, or else the first rule for the method's name.
import type { CallExpression, MemberExpression } from '../syntax/node.ts';
import { failsWhenAbandoned } from './abandoned-streams.ts';
import { assigned } from './object-assign.ts';
import { collectionMethod, eachUnknown, valuesOf } from './collections.ts';
import { escapeValue } from './closures.ts';
import { DESTRUCTOR } from './class-info.ts';
import { endedByOther, endedWith, releasedByReceiver, releasedInside } from './indirect-release.ts';
import { recordHandler } from './handlers.ts';
import { handleMethod } from './handle-call.ts';
import { invoke } from './invoke.ts';
import { byFact, factKey, isEither, knownFact } from './conditions.ts';
import { escape, heldTwice } from './lifetime.ts';
import { PREDICATE_NAME } from './predicates.ts';
import { isBorrowed } from './borrows.ts';
import { overwritesEntry } from './overwrites.ts';
import { share, takenOver } from './outside-call.ts';
import { chained, gathered } from './promises.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { stackMethod } from './stacks.ts';
import { THIS } from './members.ts';
import { withInstance, type FlowState } from './state.ts';
import { UNKNOWN, promise, type Value } from './value.ts';
import { targetCall, tidiedCall } from './calls.ts';
import { usedByPromise, useView, viewOfView, type ViewValue } from './views.ts';

/** A method call whose receiver and arguments are evaluated. */
interface MethodCall {
  readonly run: FlowRun;
  readonly node: CallExpression;
  readonly callee: MemberExpression;
  readonly name: string;
  readonly self: Value;
  readonly args: readonly Value[];
  readonly state: FlowState;
}

export function methodCall(call: MethodCall): Evaluated[] {
  const outs = methodOfReceiver(call);
  if (outs !== undefined) return outs;
  for (const rule of METHOD_RULES) {
    const ruled = rule(call);
    if (ruled !== undefined) return ruled;
  }
  const { run, node, args, state } = call;
  return targetCall(run, node, args, state);
}

/** The call where the kind of the receiver decides what it does. */
function methodOfReceiver(call: MethodCall): Evaluated[] | undefined {
  const { run, node, callee, name, self, args, state } = call;
  switch (self.k) {
    case 'ref': {
      const stack = stackMethod(run, node, self.id, name, args, state);
      if (stack !== undefined) return stack;
      // Closing a browser closes what it has opened.
      const before = releasedByReceiver(run, node, name, state) ?? state;
      return handleMethod(run, node, callee, self, args, before);
    }
    case 'view':
      return viewMethod(call, self);
    case 'promise':
      // A value with other methods is not a promise: the name was misleading.
      return chained(run, node, state, self, name, args) ?? escapingCall(call);
    case 'obj':
      return objectMethod(call, self);
    case 'fn':
    case 'releaser':
    case 'method':
      return functionMethod(call);
    case 'unknown':
      if (!isChained(name, args)) return undefined;
      return chained(run, node, state, promise(UNKNOWN), name, args);
    default:
      return undefined;
  }
}

/** A method of a view is a use of its handle, and may give another view. */
function viewMethod(call: MethodCall, self: ViewValue): Evaluated[] {
  const { run, node, callee, name, args, state } = call;
  const used = useView(run, state, self, run.place(callee));
  return targetCall(run, node, args, used).map((out) => {
    if (out.value.k === 'promise') return usedByPromise(run, node, out, [self]);
    return out.value.k === 'unknown' ? { ...out, value: viewOfView(run, self, name, node) } : out;
  });
}

/** The receiver may be kept or released by the call. */
function escapingCall({ run, node, self, args, state }: MethodCall): Evaluated[] {
  return targetCall(run, node, args, escape(run, state, self, run.place(node)));
}

function objectMethod(
  call: MethodCall,
  self: Extract<Value, { k: 'obj' }>,
): Evaluated[] | undefined {
  const { run, node, name, args, state } = call;
  const object = state.heap.get(self.id);
  const member = object?.props.get(name);
  if (member !== undefined && member.k !== 'unknown') {
    return invoke(run, member.k === 'fn' ? { ...member, self } : member, args, state, node);
  }
  const outs = collectionMethod(run, node, self.id, name, args, state);
  if (outs !== undefined) return outs;
  // A value with other methods is not an array and may return its contents.
  const isNoArray = object?.kind === 'array' && !READ_ONLY_METHOD.test(name);
  const isEnd = object?.isWrapper && (DESTRUCTOR.test(name) || PREDICATE_NAME.test(name));
  return isNoArray || isEnd ? escapingCall(call) : undefined;
}

/** Models some method calls of any receiver; `undefined` for all others. */
type MethodRule = (call: MethodCall) => Evaluated[] | undefined;

/** The first rule that applies decides. */
const METHOD_RULES: readonly MethodRule[] = [
  ({ run, node, callee, name, state }) => {
    const released =
      releasedByReceiver(run, node, name, state) ?? releasedInside(run, node, callee, state);
    return released && [{ state: released, value: UNKNOWN }];
  },
  addedListener,
  ({ run, node, name, args, state }) => {
    const ended = endedByOther(name, state);
    return ended === state ? undefined : targetCall(run, node, args, ended);
  },
  ({ run, node, name, args, state }) => tidiedCall(run, node, name, args, state),
  staticCall,
  throwIfAborted,
  ({ run, node, callee, name, args, state }) =>
    DESTRUCTOR.test(name)
      ? targetCall(run, node, args, endedWith(run, node, callee, state))
      : undefined,
  abandonedStream,
  storingMethod,
  ({ run, node, name, args, state }) =>
    // A lookup may return a handle that is already known and owned.
    /^(get|has)$/.test(name) && args.length > 0 && isStandard(run, node)
      ? [{ state: share(state, args[0]!), value: UNKNOWN }]
      : undefined,
  ({ run, node, name, args: [callback], state }) =>
    callback?.k === 'fn' && isArrayMethod(run, node, name)
      ? eachUnknown(run, node, name, callback, state)
      : undefined,
];

/** Records a listener's handler; what the call does is for other rules. */
function addedListener({ run, node, callee, name, args, state }: MethodCall): undefined {
  const [event, handler] = node.args;
  if (ADDS_LISTENER.test(name) && event?.kind === 'literal' && handler !== undefined) {
    recordHandler(run, state, callee.object, String(event.value), handler, args[1] ?? UNKNOWN);
  }
}

/** A call on a stream may throw once its other end is abandoned. */
function abandonedStream(call: MethodCall): undefined {
  const { run, node, callee, name } = call;
  if (failsWhenAbandoned(run, name, callee.object)) {
    run.raise(withEscaped(call), 1, 'may throw', node);
  }
}

function storingMethod(call: MethodCall): Evaluated[] | undefined {
  const { run, node, name, args, state } = call;
  if (!STORES.test(name) || !isStandard(run, node) || isNoStore(call)) return undefined;
  overwritesEntry(run, node, args[1] ?? UNKNOWN, state);
  return [{ state: withEscaped(call), value: UNKNOWN }];
}

/** The arguments may be kept elsewhere. */
function withEscaped({ run, node, args, state }: MethodCall): FlowState {
  const shared = args.reduce((next, value) => heldTwice(heldByField(next, value), value), state);
  return args.reduce((next, value) => escapeValue(run, next, value, run.place(node)), shared);
}

/** `this.view = view; context.subscriptions.push(view)`: the list may own it. */
function heldByField(state: FlowState, value: Value): FlowState {
  if (value.k !== 'ref') return state;
  const fields = [...(state.heap.get(THIS)?.props.values() ?? [])];
  const isHeld = fields.some((each) => each.k === 'ref' && each.id === value.id);
  return isHeld ? withInstance(state, value.id, { isListed: true }) : state;
}

/** A value with these methods is a promise. */
function isChained(name: string, args: readonly Value[]): boolean {
  return name === 'catch' || (/^(then|finally)$/.test(name) && args[0]?.k === 'fn');
}

const ADDS_LISTENER = /^(addEventListener|on|once|addListener)$/;

/** `signal.throwIfAborted()` follows the known value of `signal.aborted`. */
function throwIfAborted({ run, node, callee, name, state }: MethodCall): Evaluated[] | undefined {
  if (name !== 'throwIfAborted') return undefined;
  const key = `${factKey(callee.object)}.aborted`;
  if (knownFact(state, key) === undefined && !isEither(state, key)) return undefined;
  const { yes, no } = byFact(state, key, false);
  for (const each of yes) run.raise(each, 0, 'throws', node);
  return no.map((each) => ({ state: each, value: UNKNOWN }));
}

const ARRAY_METHODS =
  /^(map|flatMap|forEach|filter|some|every|find(Index|Last)?|reduce(Right)?|sort|toSorted)$/;

const READ_ONLY_METHOD = /^(includes|(lastI|i)ndexOf|join|keys|has|toString)$/;

/** Methods of collections and streams that store their argument. */
const STORES = /^(push|unshift|set|add|enqueue|splice|postMessage|append)$/;

function isStandard(run: FlowRun, node: CallExpression): boolean {
  const { module, fn, releases } = run.world.target(node, run.frame.file);
  return fn === undefined && releases === undefined && (module === 'lib' || module === undefined);
}

/** A model lists the method as taking or borrowing an argument: `x.add(y)`. */
function isNoStore({ run, node, args, state }: MethodCall): boolean {
  const target = run.world.target(node, run.frame.file);
  if (args.some((value, index) => takenOver(target, index, value, state))) return true;
  // The result of a collection's method is not used.
  const isWanted = !run.statements.has(node);
  return isWanted && args.some((value) => isBorrowed(target, value, state));
}

/** Probably a method of arrays: its callback runs before it returns. */
function isArrayMethod(run: FlowRun, node: CallExpression, name: string): boolean {
  if (!ARRAY_METHODS.test(name)) return false;
  const { module, fn } = run.world.target(node, run.frame.file);
  return fn === undefined && (module === undefined || module === 'lib');
}

function functionMethod({ run, node, self, name, args, state }: MethodCall): Evaluated[] {
  if (name === 'bind') return [{ state, value: self }];
  if (name === 'call') return invoke(run, self, args.slice(1), state, node);
  if (name === 'apply') return invoke(run, self, [], state, node);
  return targetCall(run, node, args, state);
}

function isCollection({ heap }: FlowState, value: Value): boolean {
  return value.k === 'obj' && heap.get(value.id)?.kind !== 'object';
}

/** `Promise.all(…)`, `Object.freeze(…)`: functions of well-known objects. */
function staticCall(call: MethodCall): Evaluated[] | undefined {
  const { run, node, callee, name, args, state } = call;
  const { object } = callee;
  if (object.kind !== 'name' || object.variable !== undefined) return undefined;
  const [first = UNKNOWN] = args;
  switch (`${object.text}.${name}`) {
    case 'Promise.all':
    case 'Promise.allSettled':
    case 'Promise.race':
    case 'Promise.any':
      return [gathered(run, node, state, first, name)];
    case 'Promise.resolve':
      if (first.k === 'promise') return [{ state, value: first }];
      return [{ state, value: promise(first, { mayReject: false }) }];
    case 'Object.values':
      return [first.k === 'obj' ? valuesOf(run, node, first.id, state) : { state, value: UNKNOWN }];
    case 'Array.from':
      if (args[1]?.k === 'fn' && !isCollection(state, first)) {
        return eachUnknown(run, node, 'map', args[1], state);
      }
      return [{ state, value: first }];
    case 'Object.freeze':
    case 'Object.seal':
      return [{ state, value: first }];
    case 'Object.assign':
      return [assigned(run, node, args, state)];
    default:
      return undefined;
  }
}
