// Function summaries: each function is walked once per kind of arguments, and its exits are applied
// at every call. This keeps the work linear in the size of a project.
import type { Contract } from '../contract/contract.ts';
import { walkOwn } from '../syntax/children.ts';
import type { FunctionNode, Node } from '../syntax/node.ts';
import { ownershipIn, promisesOf } from '../contract/tags.ts';
import { ownershipOfType } from '../obligations/brands.ts';
import type { LeakCause } from './cause.ts';
import { exported } from './closures.ts';
import { mayBeFactory } from './factories.ts';
import { failedToEnd, unsettled } from './cleanup-calls.ts';
import { ownershipKey } from './fold.ts';
import { applyBody, runBody } from './invoke.ts';
import { pendingUse } from './handle-call.ts';
import { endVariables } from './leaks.ts';
import { aged, move, without, withFreshObject } from './lifetime.ts';
import { THIS } from './members.ts';
import { endedByFlag } from './flag-guards.ts';
import { isPlaceholder } from './placeholders.ts';
import { reachableFrom, renamed } from './reach.ts';
import { byParameter } from './rest-parameters.ts';
import {
  foldAbrupt,
  MAX_DEPTH,
  MAX_SILENT_STEPS,
  FlowRun,
  type Abrupt,
  type Evaluated,
} from './run.ts';
import { isEmptyCollection, newObject, START, withInstance } from './state.ts';
import type { FlowState, HandleStatus, Instance } from './state.ts';
import { NIL, UNKNOWN, mapValue, promise, type Value } from './value.ts';
import type { World } from './world.ts';
import { share } from './outside-call.ts';
import { isReleasedByScope } from './results.ts';

export interface FunctionExit {
  readonly kind: 'return' | 'throw';
  readonly state: FlowState;
  readonly cause: LeakCause | undefined;
}

/** A handle that a generator yields: for good, or until the next round. */
export interface Yielded {
  readonly contract: Contract;
  readonly isBorrowed: boolean;
}

/** The summaries, by function and kind of arguments. */
export class Summaries {
  readonly #world: World;
  readonly #known = new Map<FunctionNode, Map<string, readonly FunctionExit[] | undefined>>();
  readonly #running: FunctionNode[] = [];
  readonly #yields = new Map<FunctionNode, Yielded | undefined>();

  constructor(world: World) {
    this.#world = world;
  }

  /** `undefined` for recursion and too deep nesting: the effects are then unknown. */
  exits(
    fn: FunctionNode,
    args: readonly Value[],
    start: FlowState,
    isRole: boolean,
  ): readonly FunctionExit[] | undefined {
    const key = `${ownershipKey({ ...start, temps: args })}|${args.map(shortKey).join()}`;
    const byKey = this.#known.get(fn) ?? new Map<string, readonly FunctionExit[] | undefined>();
    this.#known.set(fn, byKey);
    if (byKey.has(key)) return byKey.get(key);
    if (this.#running.includes(fn) || this.#running.length >= MAX_DEPTH) return undefined;
    if (byKey.size >= MAX_VARIANTS) return undefined;
    this.#running.push(fn);
    const found = this.#walk(fn, args, start, isRole) ?? this.#walk(fn, args, start, isRole, true);
    this.#running.pop();
    byKey.set(key, found);
    return found;
  }

  forget(fn: FunctionNode): void {
    this.#known.delete(fn);
    this.#yields.delete(fn);
  }

  /** Whether a function returns or yields handles that its caller must release. */
  isFactory(fn: FunctionNode): boolean {
    if (!mayBeFactory(fn, this.#world)) return false;
    if (fn.body === undefined) return true;
    if (fn.isGenerator) return this.yields(fn) !== undefined;
    return this.#exitsForUnknown(fn, false).some(({ state, kind }) => {
      if (kind !== 'return') return false;
      const { instances } = reachableFrom(state, [state.result]);
      return [...instances].some((id) => state.instances.get(id)?.site.isOwn);
    });
  }

  /** The contract of the handle that a function returns to its caller. */
  returned(fn: FunctionNode): Contract | undefined {
    for (const { state, kind } of this.#exitsForUnknown(fn, true)) {
      const { result } = state;
      const instance = result.k === 'ref' ? state.instances.get(result.id) : undefined;
      if (kind === 'return' && instance?.site.isOwn) return instance.contract;
    }
    return undefined;
  }

  #exitsForUnknown(fn: FunctionNode, isRole: boolean): readonly FunctionExit[] {
    const args = fn.parameters.map(() => UNKNOWN);
    return this.exits(fn, args, isolated(START, []).start, isRole) ?? [];
  }

  #walk(
    fn: FunctionNode,
    args: readonly Value[],
    start: FlowState,
    isRole: boolean,
    isShallow = false,
  ): FunctionExit[] | undefined {
    const frame = { fn, file: fn.file, call: undefined, isRole };
    const run = new FlowRun(this.#world, frame, true, MAX_SILENT_STEPS);
    run.isShallow = isShallow;
    run.silenced = 1;
    const [normal, abrupt] = run.catching(() => runBody(run, fn, args, start));
    if (run.wasExhausted) return undefined;
    const all: Abrupt[] = [
      ...normal.map((state) => ({ kind: 'return' as const, label: undefined, state })),
      ...abrupt,
    ];
    return foldAbrupt(all.map((each) => this.#end(run, each))).map(({ kind, state }) => ({
      kind: kind === 'throw' ? 'throw' : 'return',
      state,
      cause: state.cause,
    }));
  }

  #end(run: FlowRun, { kind, label, state }: Abrupt): Abrupt {
    if (kind === 'throw')
      return { kind, label, state: endVariables(run, state, [...state.env.keys()]) };
    const out = exported(run, { ...state, cause: undefined }, state.result);
    const result = { ...out.state, result: out.value };
    return { kind, label, state: endVariables(run, result, [...result.env.keys()]) };
  }

  /** The handles that a generator yields. */
  yields(fn: FunctionNode): Yielded | undefined {
    if (this.#yields.has(fn)) return this.#yields.get(fn);
    this.#yields.set(fn, undefined);
    const run = new FlowRun(this.#world, { fn, file: fn.file, call: undefined, isRole: false });
    run.silenced = 1;
    let found: Yielded | undefined;
    const yielded = new Set<string>();
    run.onYield = (state, value) => {
      const instance = value.k === 'ref' ? state.instances.get(value.id) : undefined;
      if (instance?.status !== 'live' || !instance.site.isOwn) return;
      yielded.add(instance.id);
      found ??= { contract: instance.contract, isBorrowed: false };
    };
    run.onAccess = (what, id) => {
      if (what === 'release' && found && yielded.has(id)) found = { ...found, isBorrowed: true };
    };
    run.catching(() => runBody(run, fn, [], START));
    this.#yields.set(fn, found);
    return found;
  }
}

/** The most kinds of arguments that a function is walked for. */
const MAX_VARIANTS = 24;

function shortKey(value: Value): string {
  return value.k === 'const' ? `=${value.value}` : value.k;
}

/** Calls a function that captures no variables of the caller. */
export function applyNamed(
  run: FlowRun,
  fn: FunctionNode,
  args: readonly Value[],
  self: Value,
  state: FlowState,
  node: Node,
): Evaluated[] {
  if (fn.body === undefined || isPlaceholder(fn)) return unknownResult(fn, args, state);
  if (!run.world.isRelevant(fn) && !args.some(isOfInterest)) {
    return untouched(run, fn, state, node);
  }
  // A function that captures variables of the caller, or uses `this`, is walked in place.
  const isOfThis = self.k === 'obj' && !(run.isShallow && self.id === THIS);
  const needsPlace = args.some((value) => value.k === 'fn') || isOfThis;
  if (needsPlace && run.frames.length <= MAX_DEPTH) {
    const outs = applyBody(run, fn, args, self, state, node);
    return isOfThis || fn.owner === undefined ? outs : unsettled(state, outs);
  }
  const passed = byParameter(run, fn, args, state, node);
  const { start, args: placed, back } = isolated(passed.state, passed.args);
  const isRole = run.world.isRole(fn);
  const outcomes = run.world.summaries.exits(fn, placed, start, isRole);
  if (outcomes === undefined) return unknownResult(fn, args, state);
  const outs: Evaluated[] = [];
  const secret = endedByFlag(fn, passed.args, outcomes, back);
  for (const [index, outcome] of outcomes.entries()) {
    const done = applied(run, fn, node, passed.state, outcome, back, passed.args, index, secret);
    if (done === undefined) continue;
    const out = outcome.kind === 'throw' ? failedToEnd(done, fn, outcomes, back) : done;
    if (outcome.kind === 'return') {
      outs.push(fn.isAsync ? usedUntilSettled(run, node, settled(run, fn, out), args) : out);
    } else if (outcome.cause) {
      outs.push(...thrown(run, fn, node, out.state, outcome.cause));
    }
  }
  return outs;
}

/** An exception of a callee; that of an asynchronous one rejects its promise. */
function thrown(
  run: FlowRun,
  fn: FunctionNode,
  node: Node,
  state: FlowState,
  cause: LeakCause,
): Evaluated[] {
  if (!fn.isAsync) {
    run.raise(state, cause.tier === 2 || cause.isMisuse ? 2 : 1, 'may throw', node);
    return [];
  }
  const rejected: LeakCause = {
    ...cause,
    tier: cause.tier === 2 ? 2 : 1,
    what: 'may be rejected',
    isAbandoned: false,
    start: node.start,
    file: run.frame.file,
  };
  return [{ state, value: promise(UNKNOWN, { rejected }) }];
}

function isOfInterest({ k }: Value): boolean {
  return k !== 'unknown' && k !== 'nil' && k !== 'const' && k !== 'cond' && k !== 'inert';
}

/** A call without handles: it can only throw. */
function untouched(run: FlowRun, fn: FunctionNode, state: FlowState, node: Node): Evaluated[] {
  const tier = run.world.throwsOf(fn);
  const isAsync = fn.isAsync;
  if (fn.isGenerator) return [{ state, value: UNKNOWN }];
  if (!isAsync && tier !== undefined) run.raise(state, tier, 'may throw', node);
  return [
    { state, value: isAsync ? promise(UNKNOWN, { mayReject: tier !== undefined }) : UNKNOWN },
  ];
}

function settled(run: FlowRun, fn: FunctionNode, { state, value }: Evaluated): Evaluated {
  if (value.k === 'promise') return { state, value };
  const mayReject = value.k === 'unknown' && answersCall(run, fn);
  return { state, value: promise(value, { mayReject }) };
}

const AT_ONCE =
  /^(get|has|at|to[A-Z]\w*|slice|concat|join|split|trim|replace(All)?|map|filter|find|\w+Sync)$/;

/** `return connection.query(…)`: its promise may still be rejected. */
function answersCall(run: FlowRun, fn: FunctionNode): boolean {
  let found = false;
  if (fn.body?.kind !== 'block') return false;
  walkOwn(fn.body, (node) => {
    if (node.kind !== 'return' || node.value?.kind !== 'call' || found) return;
    const { callee } = node.value;
    if (callee.kind !== 'member' || callee.object.kind !== 'name') return;
    if (callee.object.variable === undefined || AT_ONCE.test(callee.name ?? '')) return;
    const { isAny, module, fn: known } = run.world.target(node.value, fn.file);
    found = isAny && module === undefined && known === undefined;
  });
  return found;
}

/** An asynchronous function that does not release its argument may use it until it is done. */
function usedUntilSettled(
  run: FlowRun,
  node: Node,
  out: Evaluated,
  args: readonly Value[],
): Evaluated {
  let next = out;
  for (const value of args) {
    const instance = value.k === 'ref' ? next.state.instances.get(value.id) : undefined;
    if (instance?.status === 'live' || instance?.status === 'scoped') {
      next = pendingUse(run, node, next, instance);
    }
  }
  return next;
}

function unknownResult(fn: FunctionNode, args: readonly Value[], state: FlowState): Evaluated[] {
  let next = state;
  for (const value of args) next = share(next, value);
  return [{ state: next, value: fn.isAsync ? promise(UNKNOWN) : UNKNOWN }];
}

interface Isolated {
  readonly start: FlowState;
  readonly args: readonly Value[];
  readonly back: ReadonlyMap<string, string>;
}

/** The part of a state reachable from arguments, with ids independent of the caller. */
function isolated(state: FlowState, args: readonly Value[]): Isolated {
  const reached = reachableFrom(state, args);
  const names = new Map<string, string>();
  for (const id of [...reached.instances, ...reached.objects]) names.set(id, `@${names.size}`);
  const only = <V>(map: ReadonlyMap<string, V>, ids: ReadonlySet<string>): Map<string, V> =>
    new Map([...map].filter(([id]) => ids.has(id)));
  const part: FlowState = {
    ...START,
    instances: only(state.instances, reached.instances),
    heap: only(state.heap, reached.objects),
  };
  const rename = (id: string): string => names.get(id) ?? id;
  const placed = args.map((value) => mapValue(stripped(value), rename));
  const moved = renamed(part, rename);
  const foreign = new Map<string, Instance>();
  for (const [id, each] of moved.instances) {
    const site = { ...each.site, isOwn: false };
    // Dependents of the handle are left to the caller.
    foreign.set(id, {
      ...each,
      site,
      parent: undefined,
      owner: undefined,
      lateUses: [],
      isBound: true,
    });
  }
  // A summary is shared by calls with other collections without handles.
  const heap = new Map(
    [...moved.heap].map(([id, object]) => {
      return [id, isEmptyCollection(object) ? { ...object, isExact: false } : object];
    }),
  );
  const withThis = newObject({ ...moved, heap, instances: foreign }, THIS, 'object', {
    isOuter: true,
  });
  const self: Value = { k: 'obj', id: THIS };
  const back = new Map([...names].map(([id, name]) => [name, id]));
  return { start: { ...withThis, self, temps: placed }, args: placed, back };
}

/** Pending uses stay with the caller. */
function stripped(value: Value): Value {
  return value.k === 'promise' ? { ...value, uses: [] } : value;
}

/** Applies one exit to the caller's state; `undefined` if it is impossible there. */
function applied(
  run: FlowRun,
  fn: FunctionNode,
  node: Node,
  before: FlowState,
  { state: after, kind }: FunctionExit,
  back: ReadonlyMap<string, string>,
  args: readonly Value[],
  index: number,
  secret: ReadonlySet<string>,
): Evaluated | undefined {
  const place = run.place(node);
  let state = before;
  const held = tagged(fn, args);
  for (const [name, id] of back) {
    const was = before.instances.get(id);
    if (was === undefined) continue;
    const now = after.instances.get(name);
    if (now === undefined) {
      if (was.maybeNull) state = without(state, id, NIL);
      continue;
    }
    const rule = held.get(id);
    if (rule === 'borrowed') continue;
    const { maybeNull, isShared } = now;
    const status = statusAfter(now, secret.has(id));
    const moved = status !== was.status ? { status, at: place } : {};
    const { releasedBy } = now;
    state = withInstance(state, id, {
      maybeNull,
      releasedBy,
      isShared: isShared || was.isShared,
      ...moved,
    });
    const isReleased = status === 'released' && was.status !== 'released';
    if (isReleased && was.isShared) run.released.add(id);
    if (rule === 'owned' && kind === 'return' && status === was.status) {
      state = move(run, state, id, 'moved', place);
    }
  }
  for (const { kind: fault, instance: name } of after.faults) {
    const instance = before.instances.get(back.get(name) ?? '');
    if (instance) state = run.fault(fault, state, instance, place, { other: instance.at });
  }
  // The result of a constructor is handled by `new`.
  if (kind === 'throw' || fn.form === 'constructor') return { state, value: UNKNOWN };
  return withResult(run, node, state, after, back, index);
}

/** A function that releases a handle by the handle's own flag may have done so or not. */
function statusAfter({ status }: Instance, isByFlag: boolean): HandleStatus {
  return status === 'released' && isByFlag ? 'escaped' : status;
}

/** The handles that are passed to parameters with an ownership tag. */
function tagged(fn: FunctionNode, args: readonly Value[]): Map<string, 'owned' | 'borrowed'> {
  const found = new Map<string, 'owned' | 'borrowed'>();
  const { parameters } = promisesOf(fn.doc);
  for (const [index, { doc, target, type }] of fn.parameters.entries()) {
    const value = args[index];
    if (value?.k !== 'ref') continue;
    const named = target.kind === 'name' ? parameters.get(target.text)?.ownership : undefined;
    const ownership = ownershipIn(doc) ?? ownershipOfType(type, fn.file) ?? named;
    if (ownership !== undefined) found.set(value.id, ownership);
  }
  return found;
}

/** Attributes the handles that the function returned to the call. */
function withResult(
  run: FlowRun,
  node: Node,
  state: FlowState,
  after: FlowState,
  back: ReadonlyMap<string, string>,
  index: number,
): Evaluated {
  const fresh = new Map<string, string>();
  const { instances, objects } = reachableFrom(after, [after.result]);
  const base = `${run.frame.file.path.slice(-24)}:${node.start}-${node.end}`;
  const rename = (id: string): string => {
    const known = back.get(id) ?? fresh.get(id);
    if (known !== undefined) return known;
    const renamedId = `${base}~${index}.${fresh.size}`;
    fresh.set(id, renamedId);
    return renamedId;
  };
  const result = renamed({ ...START, result: after.result }, rename).result;
  let next = state;
  const moved = renamed({ ...after, env: new Map(), temps: [], self: UNKNOWN }, rename);
  const isBorrowed = borrowedIn(after);
  for (const id of instances) {
    if (back.has(id)) continue;
    const instance = moved.instances.get(rename(id));
    if (instance === undefined) continue;
    if (next.instances.has(instance.id)) next = aged(next, instance.id);
    const outside = statusOutside(instance, isBorrowed.has(id));
    const status =
      outside === 'live' && isReleasedByScope(run, instance.contract) ? 'escaped' : outside;
    const site = { ...run.place(node), what: '', isOwn: true };
    next = {
      ...next,
      instances: new Map(next.instances).set(instance.id, {
        ...instance,
        status,
        site,
        bornDuring: state.cause,
        isBound: false,
        isField: false,
      }),
    };
  }
  for (const id of objects) {
    const object = moved.heap.get(rename(id));
    if (object !== undefined && id !== THIS) next = withFreshObject(next, rename(id), object);
  }
  return {
    state: next,
    value: after.result.k === 'obj' && after.result.id === THIS ? UNKNOWN : result,
  };
}

/** A handle that is still in a field when a method returns it stays owned by the field. */
function borrowedIn(state: FlowState): ReadonlySet<string> {
  const self = state.heap.get(THIS);
  return self === undefined ? new Set() : reachableFrom(state, [{ k: 'obj', id: THIS }]).instances;
}

function statusOutside({ status }: Instance, isHeld: boolean): Instance['status'] {
  if (status === 'field') return isHeld ? 'borrowed' : 'live';
  if (isHeld && (status === 'escaped' || status === 'live')) return 'borrowed';
  return status === 'escaped' || status === 'param' ? 'escaped' : status;
}
