// The abstract state at a point of a function: handles, their status, and the values that hold
// them. States are immutable, and never merged where ownership differs.
import type { Contract } from '../contract/contract.ts';
import type { SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { LeakCause } from './cause.ts';
import { UNKNOWN, type Value } from './value.ts';

/**
 * idle: its obligation has not started. pending: its promise was not awaited yet. live: must be
 * released. scoped: `using` or a stack releases it. released. moved: another owner took it.
 * escaped: code outside the function holds it. param: a parameter of unknown ownership. borrowed:
 * the owner releases it. field: a field of `this` owns it.
 */
export type HandleStatus =
  | 'idle'
  | 'pending'
  | 'live'
  | 'scoped'
  | 'released'
  | 'moved'
  | 'escaped'
  | 'param'
  | 'borrowed'
  | 'field';

/** Where a handle was acquired. */
export interface Origin {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** `acquire()`. */
  readonly what: string;
  /** It was created in this function's own code, not passed to it. */
  readonly isOwn: boolean;
}

export interface SourceRange {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

export interface Instance {
  readonly id: string;
  readonly site: Origin;
  readonly contract: Contract;
  readonly status: HandleStatus;
  /** It may be null. */
  readonly maybeNull: boolean;
  /** It was bound to a name, or stored. */
  readonly isBound: boolean;
  /** The handle that has to outlive it. */
  readonly parent: string | undefined;
  /** The stack that releases it. */
  readonly owner: string | undefined;
  /** Where it was released or moved, or escaped its scope. */
  readonly at: SourceRange | undefined;
  /** The method, or the closure, that released it, where that is known. */
  readonly releasedBy: string | undefined;
  /** The exception that was on its way when it was acquired, in `finally`. */
  readonly bornDuring: LeakCause | undefined;
  /** It may have another owner: a leak is reported only if this function releases it somewhere. */
  readonly isShared: boolean;
  /** A field holds it, and so does a list of another owner. */
  readonly isListed: boolean;
  /** Nothing states that this function owns it: only a release on another path shows that. */
  readonly needsProof: boolean;
  /** It was detached without ending its resource. */
  readonly isDetached: boolean;
  /** Only its name suggests a handle: reported where the function releases it. */
  readonly isGuess: boolean;
  /** Where closures that run later use it. */
  readonly lateUses: readonly SourceRange[];
  /** The function that will release it, later and certainly. */
  readonly releasedLater: SourceRange | undefined;
  /** Where it was last stored in a variable or a collection. */
  readonly stored: SourceRange | undefined;
  /** Where it escaped the scope that releases it. */
  readonly leftScope: SourceRange | undefined;
  /** The object that it came from, as written, if that can release it too. */
  readonly receiver: string | undefined;
  /** It is the value of a field of `this` at the start of the method. */
  readonly isField: boolean;
  /** It stands for any number of handles: the elements of a collection. */
  readonly isMany: boolean;
}

export interface HeapObject {
  readonly kind: 'object' | 'array' | 'map';
  readonly props: ReadonlyMap<string, Value>;
  /** Contents at unknown keys. */
  readonly rest: readonly Value[];
  /** It belongs to code outside the function: values stored in it escape. */
  readonly isOuter: boolean;
  /** It was constructed with handles that it may own. */
  readonly isWrapper: boolean;
  /** It is reachable from outside the function. */
  readonly isEscaped: boolean;
  /** A collection whose elements are all in `props` and `rest`. */
  readonly isExact: boolean;
}

/** Whether a collection certainly has no elements. */
export function isEmptyCollection(object: HeapObject): boolean {
  const { isExact, isOuter, isEscaped, props, rest } = object;
  return isExact && !isOuter && !isEscaped && props.size === 0 && rest.length === 0;
}

/** A pending use of a handle by a promise that was not awaited. */
export interface Use {
  readonly instance: string;
  readonly place: SourceRange;
  /** The use is a method of the handle that does not release it. */
  readonly isItsMethod: boolean;
}

export type ArgumentFaultKind = 'double-release' | 'use-after-release' | 'escaping-handle';

/** Misuse of a caller's handle, reported at the call. */
export interface ArgumentFault {
  readonly kind: ArgumentFaultKind;
  readonly instance: string;
}

export interface FlowState {
  readonly env: ReadonlyMap<Variable, Value>;
  readonly instances: ReadonlyMap<string, Instance>;
  readonly heap: ReadonlyMap<string, HeapObject>;
  readonly facts: ReadonlyMap<string, boolean>;
  readonly uses: ReadonlyMap<string, Use>;
  /** Temporaries of expressions that are being evaluated. */
  readonly temps: readonly Value[];
  /** The value of the current `return`. */
  readonly result: Value;
  readonly self: Value;
  readonly cause: LeakCause | undefined;
  readonly faults: readonly ArgumentFault[];
  /** The `return` by which control leaves the analyzed function. */
  readonly exit: SourceRange | undefined;
}

export const START: FlowState = {
  env: new Map(),
  instances: new Map(),
  heap: new Map(),
  facts: new Map(),
  uses: new Map(),
  temps: [],
  result: UNKNOWN,
  self: UNKNOWN,
  cause: undefined,
  faults: [],
  exit: undefined,
};

/** A map with one entry changed; `undefined` removes it. */
export function withEntry<K, V>(
  map: ReadonlyMap<K, V>,
  key: K,
  value: V | undefined,
): ReadonlyMap<K, V> {
  const copy = new Map(map);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

export function withInstance(state: FlowState, id: string, change: Partial<Instance>): FlowState {
  const known = state.instances.get(id);
  if (known === undefined) return state;
  return { ...state, instances: withEntry(state.instances, id, { ...known, ...change }) };
}

export function withVariable(state: FlowState, variable: Variable, value: Value): FlowState {
  const stored = value.k === 'unknown' || isOwnFunction(variable, value) ? undefined : value;
  if (state.env.get(variable) === stored && state.facts.size === 0) return state;
  const facts = withoutFactsOf(state.facts, factName(variable));
  return { ...state, env: withEntry(state.env, variable, stored), facts };
}

/** A constant variable that is bound to a function needs no entry. */
function isOwnFunction({ initializer, assignments }: Variable, value: Value): boolean {
  return (
    value.k === 'fn' && assignments === 0 && value.fn === initializer && value.self.k === 'unknown'
  );
}

/** The fact that a condition means by its name that handles stay open. */
export const MEANT_TO_STAY = 'stays';

/** The name of a variable in facts. */
export function factName(variable: Variable): string {
  return `#${variable.id};`;
}

export function withoutFactsOf(
  facts: ReadonlyMap<string, boolean>,
  part: string,
): ReadonlyMap<string, boolean> {
  let copy: Map<string, boolean> | undefined;
  for (const key of facts.keys()) {
    if (key.includes(part)) (copy ??= new Map(facts)).delete(key);
  }
  return copy ?? facts;
}

export function withObject(state: FlowState, id: string, change: Partial<HeapObject>): FlowState {
  const known = state.heap.get(id);
  if (known === undefined) return state;
  return { ...state, heap: withEntry(state.heap, id, { ...known, ...change }) };
}

/** Handles of an object that an earlier round of a loop created at the same position. */
function olderContents(older: HeapObject | undefined): Value[] {
  if (older === undefined) return [];
  return [...older.props.values(), ...older.rest].filter(({ k }) => k === 'ref');
}

export function newObject(
  state: FlowState,
  id: string,
  kind: HeapObject['kind'],
  parts: Partial<HeapObject> = {},
): FlowState {
  const rest = [...(parts.rest ?? []), ...olderContents(state.heap.get(id))];
  const object: HeapObject = {
    kind,
    props: new Map(),
    isOuter: false,
    isEscaped: false,
    isWrapper: false,
    isExact: false,
    ...parts,
    rest,
  };
  return { ...state, heap: withEntry(state.heap, id, object) };
}

export function pushTemp(state: FlowState, value: Value): FlowState {
  return { ...state, temps: [...state.temps, value] };
}

export function popTemp(state: FlowState): FlowState {
  return { ...state, temps: state.temps.slice(0, -1) };
}
