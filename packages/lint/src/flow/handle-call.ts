// Methods called on handles: releases, uses, starts, and what they return.
import type { Call, Member, Node } from '../syntax/node.ts';
import { continued } from './continuations.ts';
import { idAt, move, release, use } from './lifetime.ts';
import { ASKS, predicate } from './members.ts';
import type { Out, Run } from './run.ts';
import { passArguments } from './outside-call.ts';
import { resultOf } from './results.ts';
import { newObject, withEntry, withInstance, type Instance, type State } from './state.ts';
import { applyNamed } from './summary.ts';
import { UNKNOWN, constant, promise, type Value } from './value.ts';
import type { Shape, Target } from './world.ts';

/** Releases a handle by one of its methods, or by calling it. */
export function releasing(
  run: Run,
  state: State,
  id: string,
  name: string,
  node: Node,
  isAsync: boolean,
): Out[] {
  const instance = state.instances.get(id);
  if (instance === undefined) return [{ state, value: UNKNOWN }];
  const present = withInstance(state, id, { maybeNull: false });
  const next = release(run, present, id, run.place(node));
  const quiet = instance.contract.nothrow.has(name) || instance.contract.mustCall;
  if (!quiet && !isAsync) run.raise(next, 2, 'may throw', node);
  // Whether it answers a promise or not: waiting for a release that does not fail does not, either.
  const value = isAsync || quiet ? promise(UNKNOWN, { mayReject: !quiet }) : UNKNOWN;
  return [{ state: next, value }];
}

/** `handle.method(…)`. */
export function handleMethod(
  run: Run,
  node: Call,
  callee: Member,
  self: Extract<Value, { k: 'ref' }>,
  args: readonly Value[],
  before: State,
): Out[] {
  const { id } = self;
  const instance = before.instances.get(id);
  const name = callee.name ?? '';
  const target = run.world.target(node, run.frame.file);
  if (instance === undefined) return passArguments(run, node, target, args, before);
  const state = withInstance(before, id, { maybeNull: false });
  const { contract } = instance;
  const { promises } = target;
  // Locks differ in whether what they answer is called, or has a method that is.
  const isReleaser = contract.mustCall && /^(release|unlock)$/.test(name);
  if (isReleaser || contract.release.includes(name)) {
    const passed = passArguments(run, node, target, args, state, true);
    const isAsync = target.isPromise || target.fn?.isAsync === true || name.includes('async');
    if (self.isPart && instance.isMany) return passed.map((out) => partly(out, id));
    return passed.flatMap((out) => releasing(run, out.state, id, name, node, isAsync));
  }
  if (contract.carriers.has(name)) return [{ state, value: self }];
  if (contract.lets.has(name)) {
    return [{ state: withInstance(state, id, { isLet: true }), value: UNKNOWN }];
  }
  if (contract.starts.includes(name) || promises.startsObligation) {
    const isOthers = instance.status === 'param' || instance.status === 'kept';
    // What watches the object that made it lives as long as that.
    const isOwn = node.args[0]?.kind === 'this';
    const status = isOthers ? instance.status : isOwn ? 'kept' : 'live';
    const passed = passArguments(run, node, target, args, state);
    return passed.map((out) => starting(withInstance(out.state, id, { status }), out.value, id));
  }
  const next = contract.consumes.has(name) ? 'given' : contract.heirs.has(name) && 'kept';
  if (next) {
    const passed = passArguments(run, node, target, args, state);
    return passed.map((out) => ({
      ...out,
      state:
        instance.status === 'field' && next === 'kept'
          ? withInstance(out.state, id, { status: 'kept' })
          : move(run, out.state, id, next, run.place(node)),
    }));
  }
  const answer = ASKS.test(name) ? predicate(instance, name) : undefined;
  if (answer !== undefined) return [{ state, value: constant(answer) }];
  if (contract.drains === name) return draining(run, state, id, node, target.owned);
  const isSafe = contract.safe.has(name) || promises.safeAfterRelease;
  const used = isSafe ? state : use(run, state, id, run.place(node));
  return methodResult(run, node, target, self, instance, args, used);
}

/** A start that is rejected has started nothing. */
function starting(state: State, value: Value, id: string): Out {
  const started = value.k === 'promise' ? value : promise(value);
  return { state, value: { ...started, ends: id } };
}

/** `read()`: the end of the stream leaves nothing to release, and neither does its failure. */
function draining(run: Run, state: State, id: string, node: Call, owned: Shape): Out[] {
  const used = use(run, state, id, run.place(node));
  const isOpen = ['live', 'scoped', 'pending'].includes(state.instances.get(id)?.status ?? 'kept');
  const key = `${idAt(run, node)}read`;
  const either = owned.k === 'promise' && owned.of.k === 'either' ? owned.of.of : undefined;
  const answer = (from: State, done: boolean): Out[] => {
    if (either !== undefined) {
      const shape: Shape = { k: 'promise', of: either[done ? 0 : 1]! };
      return resultOf(run, from, shape, node, undefined, true).map(({ state: next, value }) => ({
        state: next,
        value: value.k === 'promise' && isOpen ? { ...value, ends: id } : value,
      }));
    }
    const props = new Map([['done', constant(done)]]);
    const value = promise({ k: 'obj', id: key }, { ends: isOpen ? id : undefined });
    return [{ state: newObject(from, key, 'object', { props }), value }];
  };
  const ended = isOpen ? withInstance(used, id, { status: 'kept' }) : used;
  return [...answer(ended, true), ...answer(used, false)];
}

/** One of many is released: whether all are is not seen, so nothing is claimed. */
function partly({ state }: Out, id: string): Out {
  return { state: withInstance(state, id, { status: 'kept' }), value: promise(UNKNOWN) };
}

function methodResult(
  run: Run,
  node: Call,
  target: Target,
  self: Value,
  instance: Instance,
  args: readonly Value[],
  state: State,
): Out[] {
  const { fn, promises } = target;
  if (promises.returns !== undefined && typeof promises.returns === 'object') {
    if (promises.returns.alias === 'this') {
      return passArguments(run, node, target, args, state).map((out) => ({ ...out, value: self }));
    }
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
  const isMaker = target.owned.k === 'nothing' && contract.makes.has(target.name ?? '');
  const another: Target = isMaker
    ? { ...target, owned: { k: 'handle', contract, maybeNull: false, isGuess: instance.isGuess } }
    : target;
  const outs = passArguments(run, node, another, args, state, quiet, parent);
  if (returnsThis) return outs.map((out) => ({ ...out, value: self }));
  if (instance.contract.fates.has(target.name ?? '')) {
    return outs.map((out) => ({ ...out, value: promise(UNKNOWN, { ends: instance.id }) }));
  }
  return outs.map((out) => pendingUse(run, node, out, instance, true));
}

/** The promise of a method uses the handle until it settles. */
export function pendingUse(
  run: Run,
  node: Node,
  out: Out,
  instance: Instance,
  isItsMethod = false,
): Out {
  const { value } = out;
  if (value.k !== 'promise' || value.rejected !== undefined) return out;
  const key = `${node.start}:${instance.id}`;
  const use = { instance: instance.id, place: run.place(node), isItsMethod };
  const uses = withEntry(out.state.uses, key, use);
  return { state: { ...out.state, uses }, value: { ...value, uses: [...value.uses, key] } };
}
