// Promises: `await`, `then` and `catch`, `Promise.all`. A rejection is a separate state.
import { calledName } from '../syntax/called-name.ts';
import type { Node } from '../syntax/node.ts';
import type { LeakCause } from './cause.ts';
import { invoke } from './invoke.ts';
import { reachableFrom } from './reach.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { newObject, withEntry, withInstance, type FlowState } from './state.ts';
import { idAt, escape, without } from './lifetime.ts';
import { NIL, UNKNOWN, promise, type PromiseValue, type Value } from './value.ts';

/** `await` of a value: it goes on when the promise is fulfilled and throws when it is rejected. */
export function awaited(run: FlowRun, node: Node, { state, value }: Evaluated): Evaluated[] {
  run.waits++;
  if (value.k === 'unknown') {
    if (isPause(node) || neverRejects(run, node)) return [{ state, value }];
    run.raise(state, 1, 'may be rejected', node);
    return [{ state, value }];
  }
  if (value.k === 'ref' && state.instances.get(value.id)?.isBound === false) {
    // After `await`, a rejected promise has no handle.
    run.raise(without(state, value.id, NIL), 1, 'may be rejected', node);
  }
  if (value.k !== 'promise') return [{ state, value }];
  const settled = withoutUses(state, value.uses);
  if (value.rejected !== undefined) {
    run.rethrow(settled, value.rejected);
    return [];
  }
  if (value.mayReject)
    run.raise(gone(whenRejected(settled, value), value), 1, 'may be rejected', node);
  return [{ state: whenFulfilled(settled, value), value: value.value }];
}

/** `await sleep(100)`: nothing but time passes. */
function isPause(node: Node): boolean {
  if (node.kind !== 'await' || node.operand.kind !== 'call') return false;
  return /^(sleep|delay|wait|pause|nextTick|nextFrame)$/.test(calledName(node.operand) ?? '');
}

const METHODS = /^(release|unlock|close|end|destroy|dispose|abort|cancel|stop|disconnect)$/;

/** `await done.promise`, whose `reject` of `Promise.withResolvers()` is not used. */
function neverRejects(run: FlowRun, node: Node): boolean {
  if (node.kind !== 'await' || node.operand.kind !== 'member') return false;
  const { object, name } = node.operand;
  // A forgotten call: the awaited value is a function.
  if (METHODS.test(name ?? '')) return true;
  const initializer = object.kind === 'name' ? object.variable?.initializer : undefined;
  if (object.kind !== 'name' || name !== 'promise' || initializer?.kind !== 'call') return false;
  if (initializer.callee.kind !== 'member' || initializer.callee.name !== 'withResolvers')
    return false;
  const others = run.frame.file.text.replaceAll(`${object.text}.resolve`, '');
  return !others.replaceAll(`${object.text}.promise`, '').includes(`${object.text}.`);
}

export function withoutUses(state: FlowState, keys: readonly string[]): FlowState {
  let { uses } = state;
  for (const key of keys) if (uses.has(key)) uses = withEntry(uses, key, undefined);
  return uses === state.uses ? state : { ...state, uses };
}

function pendingIn(state: FlowState, value: PromiseValue): string[] {
  if (value.value.k === 'unknown') return [];
  const { instances } = reachableFrom(state, [value.value]);
  return [...instances].filter((id) => state.instances.get(id)?.status === 'pending');
}

/** The promise is fulfilled: pending handles become live. */
export function whenFulfilled(state: FlowState, value: PromiseValue): FlowState {
  let next = state;
  for (const id of pendingIn(state, value)) {
    const { contract } = state.instances.get(id)!;
    next = withInstance(next, id, { status: contract.starts.length > 0 ? 'idle' : 'live' });
  }
  return next;
}

/** The promise is rejected: pending handles do not exist. */
function whenRejected(state: FlowState, value: PromiseValue): FlowState {
  let next = state;
  for (const id of pendingIn(state, value)) next = without(next, id, NIL);
  return next;
}

/** Marks the handle that a rejection closes. */
function gone(state: FlowState, { ends }: PromiseValue): FlowState {
  return ends === undefined ? state : withInstance(state, ends, { status: 'escaped' });
}

function rejection(run: FlowRun, node: Node): LeakCause {
  return { tier: 1, what: 'may be rejected', start: node.start, file: run.frame.file };
}

/** `then`, `catch` and `finally` of a promise. */
export function chained(
  run: FlowRun,
  node: Node,
  state: FlowState,
  value: PromiseValue,
  method: string,
  args: readonly Value[],
): Evaluated[] | undefined {
  const [first = NIL, second = NIL] = args;
  // When a callback runs, the uses of the promise have ended.
  const settled = withoutUses(state, value.uses);
  const pending = { before: state, value };
  if (method === 'finally') {
    const outs = invoke(run, first, [], settled, node);
    return outs.map((out) => ({ state: stillUsed(out.state, pending), value }));
  }
  if (method !== 'then' && method !== 'catch') return undefined;
  const outs: Evaluated[] = [];
  const [onFulfilled, onRejected] = method === 'then' ? [first, second] : [NIL, first];
  const isHandled = onRejected.k !== 'unknown' && onRejected.k !== 'nil';
  const cause = value.rejected ?? (value.mayReject ? rejection(run, node) : undefined);
  const isSplit =
    cause !== undefined && (isHandled || (method === 'then' && state.instances.size > 0));
  if (value.rejected === undefined) {
    const mayReject = value.mayReject && !isSplit && method === 'then';
    outs.push(...fulfilled(run, node, settled, { ...value, mayReject }, onFulfilled));
  }
  if (isSplit) {
    const lost = gone(whenRejected(settled, value), value);
    if (isHandled) {
      const handling = invoke(run, onRejected, [UNKNOWN], { ...lost, cause: undefined }, node);
      outs.push(...handling.map((out) => settle(out, value)));
    } else {
      const rejected = { ...value, value: UNKNOWN, rejected: cause };
      outs.push({ state: { ...lost, cause }, value: rejected });
    }
  }
  return outs.map((out) => ({ ...out, state: stillUsed(out.state, pending) }));
}

/** Without `await`, the use continues. */
function stillUsed(
  state: FlowState,
  { before, value }: { before: FlowState; value: PromiseValue },
): FlowState {
  let { uses } = state;
  for (const key of value.uses) {
    const use = before.uses.get(key);
    const status = use && state.instances.get(use.instance)?.status;
    if (use !== undefined && status !== undefined && status !== 'released') {
      uses = withEntry(uses, key, use);
    }
  }
  return uses === state.uses ? state : { ...state, uses };
}

function fulfilled(
  run: FlowRun,
  node: Node,
  state: FlowState,
  value: PromiseValue,
  callback: Value,
): Evaluated[] {
  const there = whenFulfilled(state, value);
  if (callback.k === 'nil') return [{ state: there, value }];
  // `.then(resolve)`: a function of unknown body may keep what it gets.
  if (callback.k === 'unknown') {
    const after = escape(run, there, value.value, run.place(node));
    return [{ state: after, value: { ...value, value: UNKNOWN } }];
  }
  return called(run, node, callback, [value.value], there).map((out) => settle(out, value));
}

/** Calls a callback of a promise: an exception rejects the next promise. */
function called(
  run: FlowRun,
  node: Node,
  callback: Value,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] {
  const [outs, abrupt] = run.catching(() => invoke(run, callback, args, state, node));
  const thrown: Evaluated[] = [];
  for (const each of abrupt) {
    const { cause } = each.state;
    if (each.kind !== 'throw' || cause === undefined) run.abrupt(each.kind, each.state, each.label);
    else thrown.push({ state: each.state, value: promise(UNKNOWN, { rejected: cause }) });
  }
  return [...outs, ...thrown];
}

/** The result of a callback as the next promise of the chain. */
function settle({ state, value }: Evaluated, before: PromiseValue): Evaluated {
  if (value.k === 'promise') {
    return { state, value: { ...value, uses: [...before.uses, ...value.uses] } };
  }
  return { state, value: promise(value, { uses: before.uses, mayReject: false }) };
}

/** `Promise.all`, `race`, `any`, `allSettled`: one promise for many. */
export function gathered(
  run: FlowRun,
  node: Node,
  state: FlowState,
  list: Value,
  method: string,
): Evaluated {
  const object = list.k === 'obj' ? state.heap.get(list.id) : undefined;
  if (object === undefined) return { state, value: promise(UNKNOWN) };
  const uses: string[] = [];
  // An unknown element may be a promise, too.
  let mayReject = object.props.size + object.rest.length === 0;
  const open = (value: Value): Value => {
    mayReject ||= value.k === 'unknown';
    if (value.k !== 'promise') return value;
    uses.push(...value.uses);
    mayReject ||= value.mayReject;
    return value.value;
  };
  const props = new Map([...object.props].map(([name, value]) => [name, open(value)]));
  const rest = object.rest.map(open);
  const id = `${idAt(run, node)}all`;
  const value: Value = method === 'all' ? { k: 'obj', id } : UNKNOWN;
  // The results of `allSettled` are tested one by one, so their handles escape.
  const settled = method === 'allSettled' ? escape(run, state, list, run.place(node)) : state;
  const next = method === 'all' ? newObject(state, id, 'array', { props, rest }) : settled;
  const never = method === 'allSettled' || (!mayReject && method === 'all');
  return { state: next, value: promise(value, { uses, mayReject: !never }) };
}
