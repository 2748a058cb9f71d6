// The lifetime of handles: create, use, release, move.
import type { Contract } from '../contract/contract.ts';
import type { Node } from '../syntax/node.ts';
import { isGuarded, isOwnStateTested } from './guarded-release.ts';
import type { FlowRun } from './run.ts';
import { reachableFrom, renamed } from './reach.ts';
import {
  withEntry,
  withInstance,
  type HeapObject,
  type Instance,
  type SourceRange,
  type Origin,
  type FlowState,
  type HandleStatus,
} from './state.ts';
import { UNKNOWN, type Value } from './value.ts';
import { viewsIn } from './views.ts';

export interface NewHandle {
  readonly contract: Contract;
  readonly status: HandleStatus;
  readonly maybeNull?: boolean;
  readonly parent?: string | undefined;
  readonly isMany?: boolean;
  readonly isGuess?: boolean;
  readonly needsProof?: boolean;
}

/** The id of a handle created at a node: the same each time the node is evaluated. */
export function idAt(run: FlowRun, node: { readonly start: number; readonly end: number }): string {
  return `${run.frame.file.path.length}${run.frame.file.path.slice(-24)}:${node.start}-${node.end}`;
}

/** Creates a handle at a node. A handle of an earlier round of a loop becomes the older one. */
export function create(
  run: FlowRun,
  state: FlowState,
  node: Node,
  birth: NewHandle,
  suffix = '',
): { state: FlowState; value: Value } {
  const id = idAt(run, node) + suffix;
  const site: Origin = { ...run.place(node), what: '', isOwn: true };
  run.world.follow(birth.contract, site);
  const before = state.instances.has(id) ? aged(state, id) : state;
  const instance = { ...makeInstance(id, site, birth), bornDuring: state.cause };
  const instances = withEntry(before.instances, id, instance);
  return { state: { ...before, instances }, value: { k: 'ref', id } };
}

export function makeInstance(id: string, site: Origin, birth: NewHandle): Instance {
  return {
    id,
    site,
    contract: birth.contract,
    status: birth.status,
    maybeNull: birth.maybeNull ?? false,
    isBound: false,
    parent: birth.parent,
    owner: undefined,
    at: undefined,
    releasedBy: undefined,
    bornDuring: undefined,
    isListed: false,
    isShared: (birth.isGuess ?? false) || (birth.needsProof ?? false),
    isGuess: birth.isGuess ?? false,
    needsProof: birth.needsProof ?? false,
    isDetached: false,
    lateUses: [],
    releasedLater: undefined,
    stored: undefined,
    leftScope: undefined,
    receiver: undefined,
    isField: false,
    isMany: birth.isMany ?? false,
  };
}

/** Renames a handle to its older id; several older ones become one that stands for all. */
export function aged(state: FlowState, id: string): FlowState {
  const older = `${id}'`;
  const one = state.instances.get(id)!;
  const known = state.instances.get(older);
  const moved = withoutDuplicates(
    renamed(state, (each) => (each === id ? older : each)),
    older,
  );
  // Which of several handles their receiver releases is unknown.
  const isElsewhere = one.receiver !== undefined && !one.isBound;
  const isSame = known === undefined || known.status === one.status;
  const status = isSame && !isElsewhere ? one.status : 'escaped';
  return withInstance(moved, older, { status, isMany: true });
}

/** Adds an object that a call has returned; that of an earlier round becomes the older one. */
export function withFreshObject(state: FlowState, id: string, object: HeapObject): FlowState {
  const older = `${id}'`;
  const before = state.heap.has(id)
    ? withoutDuplicates(
        renamed(state, (each) => (each === id ? older : each)),
        older,
      )
    : state;
  return { ...before, heap: new Map(before.heap).set(id, object) };
}

/** Removes duplicates of a handle or an object that stands for many from collections. */
function withoutDuplicates(state: FlowState, id: string): FlowState {
  const heap = new Map(state.heap);
  for (const [key, object] of heap) {
    const isDuplicate = (value: Value): boolean =>
      (value.k === 'ref' || value.k === 'obj') && value.id === id;
    if (object.rest.filter(isDuplicate).length < 2) continue;
    const first = object.rest.findIndex(isDuplicate);
    heap.set(key, {
      ...object,
      rest: object.rest.filter((each, at) => at <= first || !isDuplicate(each)),
    });
  }
  return { ...state, heap };
}

export function instanceOf(state: FlowState, value: Value): Instance | undefined {
  return value.k === 'ref' ? state.instances.get(value.id) : undefined;
}

/** Uses a handle, or one member of it: an error when it was released or moved. */
export function use(
  run: FlowRun,
  state: FlowState,
  id: string,
  place: SourceRange,
  member?: string,
): FlowState {
  const instance = state.instances.get(id);
  if (instance === undefined || instance.contract.usableAfter) return state;
  if (instance.status === 'released' && stillAnswers(instance, member)) return state;
  run.onAccess?.('use', id, place);
  const { status, at, leftScope } = instance;
  if (status !== 'released' && status !== 'moved') return state;
  if (status === 'released' && leftScope !== undefined) return usedOutside(run, state, instance);
  // A value that only has the name of a handle may be plain data, which a move does not affect.
  if (instance.isGuess && status === 'moved') return state;
  if (status === 'moved' && at !== undefined && isHeldByObject(at)) return state;
  const reason = status === 'moved' ? 'moved' : undefined;
  return run.fault('use-after-release', state, instance, place, {
    other: at,
    ...(reason && { reason }),
  });
}

/** `new Owner(handle)`: while the owner is there, what it holds may be used beside it. */
function isHeldByObject({ file, start }: SourceRange): boolean {
  return /^new\s/.test(file.text.slice(start, start + 4));
}

/** A variable outside the scope that has released a handle still holds it, and it is used. */
function usedOutside(run: FlowRun, state: FlowState, instance: Instance): FlowState {
  const { id, site, leftScope } = instance;
  if (leftScope === undefined) return state;
  const found = run.fault('escaping-handle', state, instance, leftScope, { other: site });
  return withInstance(found, id, { leftScope: undefined, status: 'escaped', isShared: true });
}

/** `read` after `cancel`: some releases leave members that can be used. */
function stillAnswers({ contract, releasedBy }: Instance, member?: string): boolean {
  if (contract.answersAfter.size === 0) return false;
  // Which method has released it, or what a function does with it, is unknown.
  if (releasedBy === undefined) return true;
  const members = contract.answersAfter.get(releasedBy);
  return members !== undefined && (member === undefined || members.has(member));
}

/** Releases a handle, `by` one of its methods; a stack also releases its contents. */
export function release(
  run: FlowRun,
  state: FlowState,
  id: string,
  place: SourceRange,
  by?: string,
): FlowState {
  const instance = state.instances.get(id);
  if (instance === undefined) return state;
  countRelease(run, instance, place);
  run.onAccess?.('release', id, place);
  const { status, contract } = instance;
  if (status === 'released') run.onRepeatedRelease?.();
  const { releasedLater } = instance;
  if (releasedLater !== undefined && status === 'escaped' && !contract.idempotent) {
    return run.fault('double-release', state, instance, place, { other: releasedLater });
  }
  const isEarly = status === 'scoped' && contract.scopeAfterRelease;
  if (isEarly) return ended(run, childrenOf(run, state, id, place), id, place, by);
  if (status === 'released' || status === 'moved' || status === 'scoped') {
    return releasedAgain(run, state, instance, place, by);
  }
  if (status === 'borrowed') {
    return run.fault('double-release', state, instance, place, { reason: 'borrowed' });
  }
  // A restartable handle may be released before its start; an empty stack only once.
  if (status === 'idle' && !contract.idempotent) return state;
  return ended(run, childrenOf(run, state, id, place), id, place, by);
}

/** Records that a function releases a handle, which shows that it owns a shared one. */
function countRelease(run: FlowRun, instance: Instance, place: SourceRange): void {
  const { id, isShared, needsProof } = instance;
  // Silent walks of closures do not count.
  if (run.silenced > 0) return;
  run.direct.add(id);
  // For a shared handle, a release in an exception handler says nothing about the normal path.
  if (!isShared || run.catches > 0) return;
  if (!needsProof || !isOwnStateTested(place)) run.released.add(id);
}

/** Releases a handle that is released, moved, or about to be released by its scope. */
function releasedAgain(
  run: FlowRun,
  state: FlowState,
  instance: Instance,
  place: SourceRange,
  by?: string,
): FlowState {
  const { id, status, contract, at } = instance;
  if (contract.idempotent && (status !== 'moved' || contract.emptyAfterMove)) {
    // `releaseLock` after `cancel` ends what `cancel` has left.
    const isMore = by !== undefined && contract.answersAfter.size > 0;
    const isLast = isMore && !contract.answersAfter.has(by);
    return isLast ? withInstance(state, id, { releasedBy: by }) : state;
  }
  if (status === 'released' && isGuarded(place)) return state;
  const reason = status === 'moved' || status === 'scoped' ? status : undefined;
  return run.fault('double-release', state, instance, place, {
    other: at,
    ...(reason && { reason }),
  });
}

/** A parent must not be released while a child is live. */
function childrenOf(run: FlowRun, state: FlowState, id: string, place: SourceRange): FlowState {
  let next = state;
  for (const child of state.instances.values()) {
    const lives =
      child.status === 'live' || child.status === 'scoped' || child.status === 'pending';
    if (child.parent !== id || !lives || child.maybeNull) continue;
    run.addFinding('release-order', child, place, state.cause, { other: child.site });
    // A leak of the child is the same defect.
    if (child.contract.isModel) next = withInstance(next, child.id, { status: 'escaped' });
  }
  return next;
}

/** Ends a handle: checks pending uses and releases what it owns. */
export function ended(
  run: FlowRun,
  state: FlowState,
  id: string,
  place: SourceRange,
  by?: string,
): FlowState {
  let next = withInstance(state, id, { status: 'released', at: place, releasedBy: by });
  const instance = state.instances.get(id)!;
  const isQuiet = stillAnswers({ ...instance, releasedBy: by });
  for (const late of isQuiet ? [] : instance.lateUses) {
    next = run.fault('use-after-release', next, instance, late, {
      other: place,
      reason: 'late-closure',
    });
  }
  next = endUses(run, next, instance, place, isQuiet);
  const { result } = state;
  if (result.k === 'ref' && result.id === id && instance.status !== 'scoped' && !isQuiet) {
    next = withInstance(next, id, { leftScope: place });
  }
  if (state.exit !== undefined && viewsIn(state, result).some((each) => each.id === id)) {
    next = run.fault('use-after-release', next, instance, state.exit, { other: place });
  }
  for (const each of state.instances.values()) {
    if (each.owner === id && each.status === 'scoped') next = scopeEnds(run, next, each.id, place);
  }
  return next;
}

function endUses(
  run: FlowRun,
  state: FlowState,
  instance: Instance,
  place: SourceRange,
  isQuiet: boolean,
): FlowState {
  let next = state;
  for (const [key, { instance: used, place: where }] of state.uses) {
    if (used !== instance.id) continue;
    const kind = instance.status === 'scoped' ? 'escaping-handle' : 'use-after-release';
    if (!instance.contract.releaseWaits && !isQuiet) {
      next = run.fault(kind, next, instance, where, { other: place, reason: 'pending' });
    }
    next = { ...next, uses: withEntry(next.uses, key, undefined) };
  }
  return next;
}

/** The end of the scope that releases a handle: remaining references are dangling. */
export function scopeEnds(
  run: FlowRun,
  state: FlowState,
  id: string,
  place: SourceRange,
): FlowState {
  const instance = state.instances.get(id);
  if (instance === undefined || instance.status !== 'scoped') return state;
  const held = instance.leftScope === undefined ? heldOutside(run, state, instance) : undefined;
  // A variable of the function that holds it is harmless until it is used.
  const isHarmless = held !== undefined && isHeldByLocals(run, state, instance);
  const left = isHarmless ? undefined : (instance.leftScope ?? held);
  let next = state;
  if (left !== undefined) {
    next = run.fault('escaping-handle', next, instance, left, { other: instance.site });
    next = withInstance(next, id, { leftScope: undefined });
  }
  const { lateUses } = instance;
  for (const where of lateUses) {
    next = run.fault('escaping-handle', next, instance, where, { other: instance.site });
  }
  next = withInstance(next, id, { lateUses: [] });
  const done = ended(run, childrenOf(run, next, id, place), id, place);
  if (isHarmless) return withInstance(done, id, { leftScope: held });
  // Uses outside the scope were already reported.
  return left === undefined ? done : withInstance(done, id, { status: 'escaped', isShared: true });
}

/** A function returns a handle that it has released on the way, in `finally`. */
export function returned(run: FlowRun, state: FlowState, value: Value): FlowState {
  const instance = instanceOf(state, value);
  if (instance?.status !== 'released' || instance.leftScope === undefined) return state;
  const { leftScope, at } = instance;
  const found = run.fault('escaping-handle', state, instance, leftScope, { other: at });
  return withInstance(found, instance.id, { leftScope: undefined, status: 'escaped' });
}

/** Moves a handle to a new owner (`moved`) or lets it escape (`escaped`). */
export function move(
  run: FlowRun,
  state: FlowState,
  id: string,
  status: 'moved' | 'escaped',
  place: SourceRange,
): FlowState {
  const instance = state.instances.get(id);
  if (instance === undefined) return state;
  switch (instance.status) {
    case 'released':
      if (status === 'escaped') return state;
      return run.fault('double-release', state, instance, place, { other: instance.at });
    case 'moved':
      // A value that only has the name of a handle may be plain data, which has many owners.
      if (status === 'escaped' || instance.isGuess) return state;
      return run.fault('double-release', state, instance, place, {
        other: instance.at,
        reason: 'moved',
      });
    case 'scoped':
      return withInstance(state, id, { leftScope: instance.leftScope ?? place });
    case 'borrowed':
      if (status === 'moved') {
        return run.fault('double-release', state, instance, place, { reason: 'borrowed' });
      }
      return withInstance(state, id, { leftScope: instance.leftScope ?? place });
    case 'idle':
      // The holder keeps it when it starts.
      return status === 'escaped' ? withInstance(state, id, { status, at: place }) : state;
    case 'param':
    case 'field':
      if (status === 'escaped') return state;
      return withInstance(state, id, { status, at: place });
    default:
      return withInstance(state, id, { status, at: place });
  }
}

/** A value escapes with everything reachable from it. */
export function escape(
  run: FlowRun,
  state: FlowState,
  value: Value,
  place: SourceRange,
): FlowState {
  if (value.k === 'unknown' || value.k === 'nil' || value.k === 'const') return state;
  const { instances, objects } = reachableFrom(state, owning(value) ? [value] : []);
  let next = state;
  for (const id of instances) next = move(run, next, id, 'escaped', place);
  if (objects.size === 0) return next;
  const heap = new Map(next.heap);
  for (const id of objects) {
    const object = heap.get(id);
    if (object !== undefined) heap.set(id, { ...object, isEscaped: true });
  }
  return { ...next, heap };
}

/** A handle that was stored elsewhere before is stored once more: either place may own it. */
export function heldTwice(state: FlowState, value: Value): FlowState {
  const instance = instanceOf(state, value);
  return instance?.status === 'escaped'
    ? withInstance(state, instance.id, { isShared: true })
    : state;
}

/** The value without closures, which hold their captured handles but may not own them. */
function owning(value: Value): boolean {
  return value.k !== 'fn';
}

/** Where a handle was stored that outlives the block that releases it. */
function heldOutside(
  run: FlowRun,
  state: FlowState,
  { id, stored }: Instance,
): SourceRange | undefined {
  if (stored === undefined) return undefined;
  const inside = new Set(run.scopes.at(-1));
  const outer = [...state.env].flatMap(([variable, value]) => (inside.has(variable) ? [] : value));
  const isOwned = (value: Value): boolean => value.k !== 'fn';
  return reachableFrom(state, outer.filter(isOwned)).instances.has(id) ? stored : undefined;
}

/** Whether variables of the function itself are all that holds a handle outside its scope. */
function isHeldByLocals(run: FlowRun, state: FlowState, { id }: Instance): boolean {
  const inside = new Set(run.scopes.at(-1));
  return [...state.env].every(([variable, value]) => {
    const isDirect = value.k === 'ref' && value.id === id;
    if (inside.has(variable) || value.k === 'fn') return true;
    if (!isDirect) return !reachableFrom(state, [value]).instances.has(id);
    return run.frames.some(({ fn }) => fn !== undefined && fn === variable.home);
  });
}

/** Marks the handles of a value as stored in something that has a name. */
export function bound(state: FlowState, value: Value): FlowState {
  if (value.k === 'promise') return bound(state, value.value);
  if (value.k === 'obj') return contentsBound(state, value);
  const instance = instanceOf(state, value);
  if (instance === undefined || instance.isBound) return state;
  return withInstance(state, instance.id, { isBound: true });
}

/** Marks the contents of a stored object as bound. */
function contentsBound(state: FlowState, object: Value): FlowState {
  let next = state;
  for (const id of reachableFrom(state, [object]).instances) {
    const each = state.instances.get(id);
    if (each === undefined || each.isBound || each.receiver !== undefined) continue;
    next = withInstance(next, id, { isBound: true });
  }
  return next;
}

/** Removes a handle that does not exist in this state. */
export function without(state: FlowState, id: string, instead: Value = UNKNOWN): FlowState {
  const replace = (value: Value): Value =>
    (value.k === 'ref' || value.k === 'view') && value.id === id ? instead : value;
  const env = new Map([...state.env].map(([name, value]) => [name, replace(value)]));
  const heap = new Map(
    [...state.heap].map(([key, object]) => {
      const props = new Map([...object.props].map(([name, value]) => [name, replace(value)]));
      return [key, { ...object, props, rest: object.rest.filter((v) => replace(v) === v) }];
    }),
  );
  const instances = withEntry(state.instances, id, undefined);
  return { ...state, env, heap, instances, result: replace(state.result) };
}

/** Undoes the effects of a pending `return`, for an exception on the way. */
export function withoutScope(state: FlowState): FlowState {
  return { ...state, result: UNKNOWN };
}
