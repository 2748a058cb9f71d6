// Method calls on handles: releases, uses, starts, and their results.
import type { Contract } from '../contract/contract.ts';
import { isEnd } from '../heuristics/self-ending.ts';
import { hasHandle } from '../obligations/from-type.ts';
import { registersListener, removesListener } from '../obligations/vocabulary.ts';
import type { CallExpression, MemberExpression, Node } from '../syntax/node.ts';
import { continued } from './continuations.ts';
import { idAt, move, release, use } from './lifetime.ts';
import { PREDICATE_NAME, readsState, predicate } from './predicates.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { passArguments, returnsPromise } from './outside-call.ts';
import { resultOf } from './results.ts';
import { newObject, withEntry, withInstance } from './state.ts';
import type { FlowState, HandleStatus, Instance } from './state.ts';
import { applyNamed } from './summary.ts';
import { UNKNOWN, constant, promise, type Value } from './value.ts';
import { viewOfHandle } from './views.ts';
import type { ValueShape, CallTarget } from './world.ts';

/** Releases a handle by one of its methods, or by calling it. */
export function releasing(
  run: FlowRun,
  state: FlowState,
  id: string,
  name: string,
  node: Node,
  isAsync: boolean,
): Evaluated[] {
  const instance = state.instances.get(id);
  if (instance === undefined) return [{ state, value: UNKNOWN }];
  const present = withInstance(state, id, { maybeNull: false });
  const next = release(run, present, id, run.place(node), name);
  const quiet = instance.contract.nothrow.has(name) || instance.contract.mustCall;
  if (!quiet && !isAsync) run.raise(next, 2, 'may throw', node);
  // Awaiting a release that cannot fail cannot fail either, promise or not.
  const value = isAsync || quiet ? promise(UNKNOWN, { mayReject: !quiet }) : UNKNOWN;
  return [{ state: next, value }];
}

/** `handle.method(…)`. */
export function handleMethod(
  run: FlowRun,
  node: CallExpression,
  callee: MemberExpression,
  self: Extract<Value, { k: 'ref' }>,
  args: readonly Value[],
  before: FlowState,
): Evaluated[] {
  const { id } = self;
  const instance = before.instances.get(id);
  const name = callee.name ?? '';
  const target = run.world.target(node, run.frame.file);
  if (instance === undefined) return passArguments(run, node, target, args, before);
  const state = withInstance(before, id, { maybeNull: false });
  const { contract } = instance;
  const { promises } = target;
  if (isRelease(contract, name)) return releaseMethod(run, node, target, self, args, state);
  if (contract.carriers.has(name)) return [{ state, value: self }];
  if (contract.detaches.has(name)) {
    return [{ state: withInstance(state, id, { isDetached: true }), value: UNKNOWN }];
  }
  if (contract.starts.includes(name) || promises.startsObligation) {
    const status = statusOnStart(instance, node);
    const passed = passArguments(run, node, target, args, state);
    const isFluent = promises.returns === undefined && run.world.returnsReceiver(node);
    return passed.map((out) => {
      const next = withInstance(out.state, id, { status });
      return isFluent ? { state: next, value: self } : starting(next, out.value, id);
    });
  }
  const next =
    contract.consumes.has(name) || promises.consumes
      ? 'moved'
      : mayEndBy(instance, name, args) && 'escaped';
  if (next) {
    const quiet = contract.nothrow.has(name);
    // The object is gone, even if the call throws.
    if (next === 'moved') {
      const moved = ending(run, state, instance, next, node);
      return passArguments(run, node, target, args, moved, quiet);
    }
    const passed = passArguments(run, node, target, args, state);
    return passed.map((out) => ({ ...out, state: ending(run, out.state, instance, next, node) }));
  }
  const answer = PREDICATE_NAME.test(name) ? predicate(instance, name) : undefined;
  if (answer !== undefined) return [{ state, value: constant(answer) }];
  if (contract.drains === name) return draining(run, state, id, node, target.owned);
  const isSafe = promises.safeAfterRelease || isHarmless(contract, node, name);
  const used = isSafe ? state : use(run, state, id, run.place(node), name);
  return methodResult(run, node, target, self, instance, args, used);
}

/** A method that releases the handle, and may return the handle of its next state. */
function releaseMethod(
  run: FlowRun,
  node: CallExpression,
  target: CallTarget,
  self: Extract<Value, { k: 'ref' }>,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] {
  const { id } = self;
  const name = target.name ?? '';
  const isAsync = returnsPromise(target) || name.includes('async');
  const pass = (before: FlowState): Evaluated[] =>
    passArguments(run, node, target, args, before, true);
  if (self.isPart) return pass(state).map((out) => partly(out, id));
  const isTransition = hasHandle(target.owned) && target.promises.returns !== 'borrowed';
  if (!isTransition) {
    return pass(state).flatMap((out) => releasing(run, out.state, id, name, node, isAsync));
  }
  // If it throws, the old state is gone and there is no new one.
  return releasing(run, state, id, name, node, isAsync).flatMap(({ state: after }) => pass(after));
}

/** The result of a lock is a function, or an object with a releasing method. */
function isRelease({ mustCall, release: methods }: Contract, name: string): boolean {
  return (mustCall && /^(release|unlock)$/.test(name)) || methods.includes(name);
}

/**
 * A call after which a handle may have ended: one of its methods, or `child.on('exit', …)`: what
 * is only known to be owned since the function ends it elsewhere ends by itself here.
 */
function mayEndBy(
  { contract, needsProof }: Instance,
  name: string,
  [event]: readonly Value[],
): boolean {
  if (contract.alsoReleasedBy.has(name)) return true;
  return (
    needsProof && registersListener(name) && event?.k === 'const' && isEnd(String(event.value))
  );
}

/** What may be called after the release: an emitter that has ended has no listeners to lose. */
function isHarmless({ safe, isModel }: Contract, node: CallExpression, name: string): boolean {
  return safe.has(name) || (isModel && removesListener(name)) || isQuestion(node, name);
}

function isQuestion({ args }: CallExpression, name: string): boolean {
  return args.length === 0 && PREDICATE_NAME.test(name) && readsState(name);
}

function statusOnStart({ status }: Instance, node: CallExpression): HandleStatus {
  if (status === 'param' || status === 'escaped') return status;
  // An observer of its creator lives as long as the creator.
  return node.args[0]?.kind === 'this' ? 'escaped' : 'live';
}

/** A method that ends the caller's duty to release: it moves the handle, or may release it. */
function ending(
  run: FlowRun,
  state: FlowState,
  { id, status, contract }: Instance,
  next: 'moved' | 'escaped',
  node: CallExpression,
): FlowState {
  if (status === 'field' && next === 'escaped') return withInstance(state, id, { status: next });
  if (status === 'scoped' && next === 'moved' && contract.leavesScope) {
    return withInstance(state, id, { status: next, at: run.place(node) });
  }
  return move(run, state, id, next, run.place(node));
}

/** A rejected start leaves the handle unstarted. */
function starting(state: FlowState, value: Value, id: string): Evaluated {
  const started = value.k === 'promise' ? value : promise(value);
  return { state, value: { ...started, ends: id } };
}

/** `read()`: at the end of the stream or after a failure there is nothing to release. */
function draining(
  run: FlowRun,
  state: FlowState,
  id: string,
  node: CallExpression,
  owned: ValueShape,
): Evaluated[] {
  const used = use(run, state, id, run.place(node), run.world.target(node, run.frame.file).name);
  const isOpen = ['live', 'scoped', 'pending'].includes(
    state.instances.get(id)?.status ?? 'escaped',
  );
  const key = `${idAt(run, node)}read`;
  const either = owned.k === 'promise' && owned.of.k === 'either' ? owned.of.of : undefined;
  const answer = (from: FlowState, done: boolean): Evaluated[] => {
    if (either !== undefined) {
      const shape: ValueShape = { k: 'promise', of: either[done ? 0 : 1]! };
      return resultOf(run, from, shape, node, undefined, true).map(({ state: next, value }) => ({
        state: next,
        value: value.k === 'promise' && isOpen ? { ...value, ends: id } : value,
      }));
    }
    const props = new Map([['done', constant(done)]]);
    const value = promise({ k: 'obj', id: key }, { ends: isOpen ? id : undefined });
    return [{ state: newObject(from, key, 'object', { props }), value }];
  };
  const ended = isOpen ? withInstance(used, id, { status: 'escaped' }) : used;
  return [...answer(ended, true), ...answer(used, false)];
}

/** One of many is released: whether all are is unknown, so nothing is reported. */
function partly({ state }: Evaluated, id: string): Evaluated {
  let next = withInstance(state, id, { status: 'escaped' });
  for (const { props, rest } of state.heap.values()) {
    const elements = [...props.values(), ...rest].filter((each) => each.k === 'ref');
    if (!elements.some((each) => each.id === id)) continue;
    for (const each of elements) {
      const status = next.instances.get(each.id)?.status;
      if (status === 'live') next = withInstance(next, each.id, { status: 'escaped' });
    }
  }
  return { state: next, value: promise(UNKNOWN) };
}

function methodResult(
  run: FlowRun,
  node: CallExpression,
  target: CallTarget,
  self: Value,
  instance: Instance,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] {
  const { fn, promises } = target;
  if (typeof promises.returns === 'object' && promises.returns.alias === 'this') {
    return passArguments(run, node, target, args, state).map((out) => ({ ...out, value: self }));
  }
  const returnsThis = fn?.returns?.kind === 'keyword' && fn.returns.name === 'this';
  if (fn?.body !== undefined && !returnsThis && promises.returns !== 'owned') {
    return applyNamed(run, fn, args, UNKNOWN, state, node);
  }
  const parent = promises.releaseBefore === 'this' ? instance.id : undefined;
  const quiet = instance.contract.nothrow.has(target.name ?? '');
  const rest = continued(run, node, target, instance, args, state);
  if (rest !== undefined) return [{ state: rest, value: UNKNOWN }];
  const { contract } = instance;
  const isMaker = target.owned.k === 'nothing' && contract.creates.has(target.name ?? '');
  const another: CallTarget = isMaker
    ? { ...target, owned: { k: 'handle', contract, maybeNull: false, isGuess: instance.isGuess } }
    : target;
  const outs = passArguments(run, node, another, args, state, quiet, parent);
  if (returnsThis) return outs.map((out) => ({ ...out, value: self }));
  if (instance.contract.closedOnReject.has(target.name ?? '')) {
    return outs.map((out) => ({ ...out, value: promise(UNKNOWN, { ends: instance.id }) }));
  }
  return outs.map((out) => {
    if (out.value.k !== 'unknown') return pendingUse(run, node, out, instance, true);
    if (promises.returns === undefined && run.world.returnsReceiver(node)) {
      return { ...out, value: self };
    }
    if (addsListener(target, args)) return { ...out, value: self };
    const isCopy = promises.returns === 'owned' || promises.safeAfterRelease;
    return isCopy ? out : { ...out, value: viewOfHandle(run, instance, target.name ?? '', node) };
  });
}

/** `watcher.on('change', …)` of an undeclared type: emitters return themselves. */
function addsListener({ fn, module, name }: CallTarget, args: readonly Value[]): boolean {
  const isUnknown = fn === undefined && module === undefined;
  return isUnknown && registersListener(name ?? '') && args[0]?.k === 'const';
}

/** The promise of a method uses the handle until it settles. */
export function pendingUse(
  run: FlowRun,
  node: Node,
  out: Evaluated,
  instance: Instance,
  isItsMethod = false,
): Evaluated {
  const { value } = out;
  if (value.k !== 'promise' || value.rejected !== undefined) return out;
  const key = `${node.start}:${instance.id}`;
  const use = { instance: instance.id, place: run.place(node), isItsMethod };
  const uses = withEntry(out.state.uses, key, use);
  return { state: { ...out.state, uses }, value: { ...value, uses: [...value.uses, key] } };
}
