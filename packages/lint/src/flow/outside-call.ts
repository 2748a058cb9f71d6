// Calls of functions without a known body: their contract decides the ownership of arguments.
import type { ParameterRule } from '../contract/contract.ts';
import { ownershipIn } from '../contract/tags.ts';
import { containsArgument } from '../obligations/generic-results.ts';
import { ownershipOfType } from '../obligations/brands.ts';
import { hasHandle } from '../obligations/from-type.ts';
import type { CallExpression, FunctionNode } from '../syntax/node.ts';
import type { TypeNode } from '../syntax/type-node.ts';
import type { Tier } from './cause.ts';
import { wrapped } from './construct.ts';
import { reportAbandonedStream } from './abandoned-streams.ts';
import { calledBack, passFunction } from './passed-callbacks.ts';
import { isKnownToThrow } from './known-to-throw.ts';
import { passedToState, isCopiedToState } from './component-state.ts';
import { isBorrowed, isBorrower } from './borrows.ts';
import { instanceOf, escape, move, release, use } from './lifetime.ts';
import { withoutUses } from './promises.ts';
import { reachableFrom } from './reach.ts';
import { resultOf } from './results.ts';
import { parameterAt } from './rest-parameters.ts';
import { pendingUse } from './handle-call.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { withInstance, type FlowState } from './state.ts';
import { UNKNOWN, promise, type Value } from './value.ts';
import type { CallTarget, ValueShape } from './world.ts';

/** Passes arguments to a function that is only known by its contract. */
export function passArguments(
  run: FlowRun,
  node: CallExpression,
  target: CallTarget,
  args: readonly Value[],
  state: FlowState,
  isQuiet = false,
  parent?: string,
): Evaluated[] {
  const { promises } = target;
  if (promises.exits) return [];
  if (promises.never || target.isNever) {
    run.raise(state, 0, 'throws', node);
    return [];
  }
  const name = target.name ?? '';
  const same = args.find((value) => instanceOf(state, value)?.contract.carriers.has(name));
  if (same !== undefined) return [{ state, value: same }];
  const isAsync = returnsPromise(target);
  const shown = passedToState(run, node, args, state);
  if (shown !== undefined) return shown;
  const callback = promisesCallback(target, args);
  const isQuietBy = (callback && promises.throws === undefined) || isBuiltin(target);
  const mayThrow = !isQuiet && promises.throws !== 'never' && !isAsync && !isQuietBy;
  reportAbandonedStream(run, node, args[0] ?? UNKNOWN, state);
  const before = releasesCopy(target, args, state);
  const passed = isUndeclared(target) ? passedToUnknown(run, node, target, args, before) : before;
  // Until the function returns, its arguments still belong to the caller.
  if (mayThrow) run.raise(passed, surenessOf(node, target), 'may throw', node);
  let outs: Evaluated[] = [{ state: passed, value: UNKNOWN }];
  let result: Value | undefined;
  for (const [index, value] of args.entries()) {
    if (isPassedThrough(target.fn, index)) result ??= value;
    else outs = outs.flatMap((out) => passOne({ run, node, target, index }, value, out));
  }
  return outs.flatMap((out) => {
    if (result !== undefined) return [{ state: out.state, value: result }];
    if (callback && out.value.k !== 'unknown') return [out];
    const isWrapper = node.isNew && target.owned.k === 'nothing' && target.module !== 'lib';
    if (isWrapper) return [wrapped(run, node, args, out.state)];
    const borrowed = args.filter((value) => !instanceOf(state, value)?.isShared);
    return results(run, node, target, args, out.state, parent, isAsync ? borrowed : undefined);
  });
}

export function returnsPromise({ isPromise, fn }: CallTarget): boolean {
  return isPromise || fn?.isAsync === true;
}

function isUndeclared({ fn, module, classNode }: CallTarget): boolean {
  return fn === undefined && module === undefined && classNode === undefined;
}

/** A function that nothing is known about may keep its arguments, or release them. */
function passedToUnknown(
  run: FlowRun,
  node: CallExpression,
  target: CallTarget,
  args: readonly Value[],
  state: FlowState,
): FlowState {
  let next = state;
  for (const value of args) {
    if (isBorrowed(target, value, next) || isCopiedToState(run, node, value, next)) continue;
    const isNamed = value.k === 'ref' && RELEASES.test(target.name ?? '');
    const isEnd = isNamed || mayEnd(target, value, next);
    next = isEnd ? escape(run, next, value, run.place(node)) : share(next, value);
  }
  return next;
}

/** `tryCancel(reader)`, `safeClose(file)`: the name of an unknown function implies a release. */
const RELEASES =
  /^(try|safe(ly)?|quiet(ly)?|maybe|force|_)*(cancel|close|release|dispose|destroy)/i;

/** `source.pipe(file)`, `Disposable.from(...all)`: a model lists what may release them. */
function mayEnd({ name = '' }: CallTarget, value: Value, state: FlowState): boolean {
  const { instances } = reachableFrom(state, value.k === 'fn' ? [] : [value]);
  return [...instances].some((id) => state.instances.get(id)?.contract.mayRelease.has(name));
}

function surenessOf(node: CallExpression, target: CallTarget): Tier {
  const isDeclared = target.promises.throws === 'may' && target.module !== undefined;
  return isDeclared || isKnownToThrow(node, target) ? 1 : 2;
}

/** `revokeObjectURL(img.src)`: any copy may be meant. */
function releasesCopy(
  { releases }: CallTarget,
  args: readonly Value[],
  state: FlowState,
): FlowState {
  if (releases === undefined || args[releases.argument]?.k !== 'unknown') return state;
  let next = state;
  for (const { id, contract, status } of state.instances.values()) {
    if (contract.isCopied && status === 'live')
      next = withInstance(next, id, { status: 'escaped' });
  }
  return next;
}

function results(
  run: FlowRun,
  node: CallExpression,
  target: CallTarget,
  args: readonly Value[],
  state: FlowState,
  parentOfThis: string | undefined,
  /** The arguments that an asynchronous function uses until its promise settles. */
  borrowed: readonly Value[] | undefined,
): Evaluated[] {
  const { promises, owned } = target;
  const { returns, releaseBefore } = promises;
  if (typeof returns === 'object') {
    const value = argumentNamed(target.fn, returns.alias, args);
    return [{ state, value: value ?? UNKNOWN }];
  }
  const isArgument = releaseBefore !== undefined && releaseBefore !== 'this';
  const beforeValue = isArgument ? argumentNamed(target.fn, releaseBefore, args) : undefined;
  const parent = parentOfThis ?? (beforeValue?.k === 'ref' ? beforeValue.id : undefined);
  const mayReject = promises.throws !== 'never';
  if (returns === 'borrowed' && hasHandle(owned)) {
    return resultOf(run, state, borrowedShape(owned), node, parent, mayReject);
  }
  if (owned.k === 'nothing' || returns === 'borrowed') {
    const used = borrowed ?? usedByCallback(run, node, args, state);
    if (used === undefined) return [{ state, value: UNKNOWN }];
    return [usesOf(run, node, { state, value: promise(UNKNOWN, { mayReject }) }, used)];
  }
  return resultOf(run, state, owned, node, parent, mayReject);
}

/** The same handles, which another owner releases. */
function borrowedShape(shape: ValueShape): ValueShape {
  if (shape.k === 'handle') return { ...shape, isBorrowed: true };
  return shape.k === 'promise' ? { k: 'promise', of: borrowedShape(shape.of) } : { k: 'nothing' };
}

/** An asynchronous function that borrows a handle uses it until its promise settles. */
function usesOf(
  run: FlowRun,
  node: CallExpression,
  out: Evaluated,
  borrowed: readonly Value[],
): Evaluated {
  let next = out;
  for (const value of borrowed) {
    const instance = instanceOf(next.state, value);
    const mine = instance && ['live', 'scoped', 'released'].includes(instance.status);
    if (mine) next = pendingUse(run, node, next, instance);
  }
  return next;
}

/** Contracts of handles whose operations all return promises. */
const AWAITED = /^(pg|mysql2|db|pool|mongodb|neo4j|typeorm|sequelize|knex|kysely)\./;

/**
 * `return work(connection)` of an asynchronous function with a parameter `work`: a function
 * that works with a connection returns a promise.
 */
function usedByCallback(
  run: FlowRun,
  { callee, start, end }: CallExpression,
  args: readonly Value[],
  state: FlowState,
): Value[] | undefined {
  const { returned, frame } = run;
  if (returned?.start !== start || returned.end !== end || !frame.fn?.isAsync) return undefined;
  if (callee.kind !== 'name' || callee.variable?.form !== 'parameter') return undefined;
  const { type } = callee.variable;
  if (type?.kind === 'function' && !isPromiseType(type.returns)) return undefined;
  const used = args.filter((each) => AWAITED.test(instanceOf(state, each)?.contract.id ?? ''));
  return used.length > 0 ? used : undefined;
}

function isPromiseType(type: TypeNode): boolean {
  return type.kind === 'named' && type.name.startsWith('Promise');
}

function argumentNamed(
  fn: FunctionNode | undefined,
  name: string,
  args: readonly Value[],
): Value | undefined {
  const index = fn?.parameters.findIndex(
    ({ target }) => target.kind === 'name' && target.text === name,
  );
  return index === undefined || index < 0 ? args[0] : args[index];
}

/** `f<T>(x: T): T` and `f<T>(p: Promise<T>): Promise<T>` return their argument. */
function isPassedThrough(fn: FunctionNode | undefined, index: number): boolean {
  const type = fn?.parameters[index]?.type;
  const returns = fn?.returns;
  if (fn === undefined || type?.kind !== 'named' || returns?.kind !== 'named') return false;
  if (fn.typeParameters.includes(type.name)) return returns.name === type.name;
  const [inner] = type.args;
  const [result] = returns.args;
  if (type.name !== 'Promise' || returns.name !== 'Promise') return false;
  return inner?.kind === 'named' && result?.kind === 'named' && inner.name === result.name;
}

/** `f<T>(fn: () => T): T` calls its callback before it returns, and returns its result. */
function returnsCallback(fn: FunctionNode | undefined, index: number): boolean {
  const type = fn?.parameters[index]?.type;
  if (fn === undefined || type?.kind !== 'function') return false;
  const names = (each: TypeNode | undefined): string[] =>
    each?.kind === 'named'
      ? [each.name, ...each.args.flatMap(names)]
      : each?.kind === 'union'
        ? each.members.flatMap(names)
        : [];
  const returned = names(fn.returns);
  return names(type.returns).some(
    (name) => fn.typeParameters.includes(name) && returned.includes(name),
  );
}

function promisesCallback(target: CallTarget, args: readonly Value[]): boolean {
  return args.some((value, index) => value.k === 'fn' && callsNow(target, index));
}

export function callsNow({ fn, promises }: CallTarget, index: number): boolean {
  return promises.callsNow || returnsCallback(fn, index);
}

/** Functions of the language and the platform that do not throw in practice. */
function isBuiltin({ module, name = '' }: CallTarget): boolean {
  if (module === undefined) return false;
  if (module === 'lib') return !/^(parse|decodeURI|URL|structuredClone|assign)/.test(name);
  return /^node:(console|timers|path|events|util)/.test(module);
}

/** Which argument of a call is passed. */
export interface ArgumentPosition {
  readonly run: FlowRun;
  readonly node: CallExpression;
  readonly target: CallTarget;
  readonly index: number;
}

function passOne(
  argument: ArgumentPosition,
  value: Value,
  { state, value: before }: Evaluated,
): Evaluated[] {
  const { run, node, index } = argument;
  const place = run.place(node.args[index] ?? node);
  switch (value.k) {
    case 'fn':
      return passFunction(argument, value, state);
    case 'releaser':
    case 'method': {
      let next = state;
      const { instances } = reachableFrom(state, [value]);
      for (const id of instances) next = move(run, next, id, 'escaped', place);
      return [{ state: next, value: before }];
    }
    case 'promise':
      return [{ state: share(withoutUses(state, value.uses), value.value), value: before }];
    case 'ref':
    case 'obj': {
      const called = calledBack(argument, value, state);
      return [{ state: passHandle(argument, value, called), value: before }];
    }
    case 'generator':
      return [{ state: share(state, value), value: before }];
    default:
      return [{ state, value: before }];
  }
}

/** The ownership rule of a parameter. */
export function ruleFor(target: CallTarget, index: number): ParameterRule | undefined {
  const { fn, promises } = target;
  const parameter = parameterAt(fn, index);
  if (parameter === undefined) return undefined;
  const own = ownershipIn(parameter.doc) ?? (fn && ownershipOfType(parameter.type, fn.file));
  if (own !== undefined) return { ownership: own, path: [] };
  return parameter.target.kind === 'name'
    ? promises.parameters.get(parameter.target.text)
    : undefined;
}

const OWNED: ParameterRule = { ownership: 'owned', path: [] };

/** Whether a model lists the function as taking ownership of this handle. */
export function takenOver(
  target: CallTarget,
  index: number,
  value: Value,
  state: FlowState,
): boolean {
  const taking = target.takes.filter(({ argument }) => argument === index);
  if (taking.length === 0) return false;
  return [...reachableFrom(state, [value]).instances].some((id) =>
    taking.some(({ model }) => state.instances.get(id)?.contract.id === model),
  );
}

/** The handle arguments that a function releases; `undefined` if unspecified. */
function releasedBy(
  { releases }: CallTarget,
  index: number,
  value: Value,
  state: FlowState,
): string[] | undefined {
  if (releases?.argument !== index) return undefined;
  const { isOnlyFor } = releases;
  const all = [...reachableFrom(state, [value]).instances];
  if (isOnlyFor === undefined) return all;
  const its = all.filter((id) => state.instances.get(id)?.contract.id === isOnlyFor);
  return its.length > 0 ? its : undefined;
}

function passHandle(argument: ArgumentPosition, value: Value, state: FlowState): FlowState {
  const { run, node, target, index } = argument;
  const place = run.place(node.args[index] ?? node);
  const ended = releasedBy(target, index, value, state);
  if (ended !== undefined) {
    let next = state;
    for (const id of ended) next = release(run, next, id, run.place(node));
    return next;
  }
  const rule = takenOver(target, index, value, state) ? OWNED : ruleFor(target, index);
  if (rule?.ownership === 'owned') {
    let next = state;
    for (const id of reachableFrom(state, [at(state, value, rule.path)]).instances) {
      next = move(run, next, id, 'moved', run.place(node));
    }
    return next;
  }
  const direct = value.k === 'ref' ? [value.id] : [];
  let next = state;
  if (isBorrowed(target, value, state)) {
    // Only a model knows that the function needs the handle to be live.
    const needed = direct.filter((id) => isBorrower(target, id, state));
    for (const id of needed) next = use(run, next, id, run.place(node));
    return next;
  }
  if (mayEnd(target, value, state)) return escape(run, next, value, place);
  if (isCopiedToState(run, node, value, state)) return next;
  if (rule !== undefined || !isLoose(parameterAt(target.fn, index)?.type)) {
    for (const id of direct) next = use(run, next, id, place);
  }
  return rule === undefined ? passedWithoutRule(argument, value, next) : next;
}

/** A type that values other than the handle may have: `any`, or an array. */
function isLoose(type: TypeNode | undefined): boolean {
  return type?.kind === 'keyword' || type?.kind === 'array';
}

function passedWithoutRule(argument: ArgumentPosition, value: Value, state: FlowState): FlowState {
  const { run, node, target, index } = argument;
  const object = value.k === 'obj' ? state.heap.get(value.id) : undefined;
  const isUnknown = target.fn === undefined && target.module === undefined;
  if (object?.isWrapper && isUnknown && !node.isNew) {
    return escape(run, state, value, run.place(node.args[index] ?? node));
  }
  const after = unstatedEscape(argument, value, state);
  if (value.k === 'ref' && after !== state) return after;
  if (containsArgument(target.fn, index) || mayOwn(target, index, value, after)) {
    return share(after, value);
  }
  // A text or a number holds no handle.
  if (target.module === 'lib' && run.world.isPrimitive(node) === true) return after;
  const isConstruction = node.isNew && target.module !== 'lib';
  return isUnknown || isConstruction || object?.kind === 'object' ? share(after, value) : after;
}

/** A handle of which nothing is stated: whatever gets it, by itself or in an object, may own it. */
function unstatedEscape(
  { run, node, index }: ArgumentPosition,
  value: Value,
  state: FlowState,
): FlowState {
  const place = run.place(node.args[index] ?? node);
  let next = state;
  for (const id of reachableFrom(state, [value]).instances) {
    const instance = state.instances.get(id);
    const isUnstated = instance?.needsProof === true || instance?.contract.isStructural === true;
    if (isUnstated) next = move(run, next, id, 'escaped', place);
  }
  return next;
}

/** Nothing states whether a function without a body takes over a handle of the project's types. */
function mayOwn(
  { fn, module, promises }: CallTarget,
  index: number,
  value: Value,
  state: FlowState,
): boolean {
  if (fn?.body !== undefined || module === 'lib' || promises.parameters.size > 0) return false;
  const parameter = parameterAt(fn, index);
  const isList = parameter?.rest === true && parameter.type?.kind === 'array';
  const type =
    isList && parameter.type?.kind === 'array' ? parameter.type.element : parameter?.type;
  // A function that takes `unknown` has no method to call on it.
  if (type?.kind === 'keyword' && type.name !== 'any') return false;
  return [...reachableFrom(state, [value]).instances].some((id) => {
    const contract = state.instances.get(id)?.contract;
    return contract?.isModel === false && !contract.isStage;
  });
}

function at(state: FlowState, value: Value, path: readonly string[]): Value {
  let found = value;
  for (const name of path) {
    if (found.k !== 'obj') return found;
    found = state.heap.get(found.id)?.props.get(name) ?? UNKNOWN;
  }
  return found;
}

/** The handle may have another owner: neither a leak nor a second release is reported. */
export function share(state: FlowState, value: Value): FlowState {
  return value.k === 'fn' ? state : shareReachable(state, value);
}

/** The same, also of the handles that a closure captures. */
export function shareReachable(state: FlowState, value: Value): FlowState {
  let next = state;
  for (const id of reachableFrom(state, [value]).instances) {
    next = withInstance(next, id, { isShared: true });
  }
  return next;
}
