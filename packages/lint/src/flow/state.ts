// One possible situation at a point of a function: which handles there are, in what status, and
// who holds them. States are never changed, only copied, and never merged where ownership differs.
import type { Contract } from '../contract/contract.ts';
import type { SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { Cause } from './cause.ts';
import { UNKNOWN, type Value } from './value.ts';

/**
 * idle: its obligation has not started. pending: a promise of it was not awaited yet. live: must be
 * released. scoped: `using` or a stack releases it. released. given: an owner took it. kept:
 * something outside holds it now. param: a parameter, whose owner is not said. borrowed: somebody
 * else releases it. field: a field of `this` owns it.
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

/** Where an instance came from. */
export interface Origin {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** `acquire()`. */
  readonly what: string;
  /** It was created in this function's own code, and not given to it. */
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
  /** The variable that holds it may hold nothing instead. */
  readonly maybeNull: boolean;
  /** It was bound to a name, or stored. */
  readonly isBound: boolean;
  /** The instance that has to outlive it. */
  readonly parent: string | undefined;
  /** The stack that releases it. */
  readonly owner: string | undefined;
  /** Where it was released, moved, or left its scope. */
  readonly at: SourceRange | undefined;
  /** It was passed where it may have found another owner: no leak unless this function releases. */
  readonly isShared: boolean;
  /** What locks it was let go of, and what it stands for was not ended. */
  readonly isDetached: boolean;
  /** Only its name says that it is a handle: claimed where the function releases it. */
  readonly isGuess: boolean;
  /** Where closures that run later use it. */
  readonly lateUses: readonly SourceRange[];
  /** Where it was last put into a variable or a collection. */
  readonly stored: SourceRange | undefined;
  /** Where it left the scope that releases it. */
  readonly leftScope: SourceRange | undefined;
  /** What it came from, as written, where that can release it too. */
  readonly receiver: string | undefined;
  /** What a field of `this` held when the method began. */
  readonly isField: boolean;
  /** Any number of instances that went the same way: the elements of a collection. */
  readonly isMany: boolean;
}

export interface HeapObject {
  readonly kind: 'object' | 'array' | 'map';
  readonly props: ReadonlyMap<string, Value>;
  /** What else is in it, at unknown places. */
  readonly rest: readonly Value[];
  /** It belongs to somebody outside: what is put into it is kept. */
  readonly isOuter: boolean;
  /** It was made with handles that its constructor may have taken over. */
  readonly isWrapper: boolean;
  /** It was stored where others see it. */
  readonly isEscaped: boolean;
}

/** A pending use of a handle, by a promise that nobody has awaited. */
export interface Use {
  readonly instance: string;
  readonly place: SourceRange;
  /** A method of its own, which is none of those that release it. */
  readonly isItsMethod: boolean;
}

export type ArgumentFaultKind = 'double-release' | 'use-after-release' | 'escaping-handle';

/** What was done wrong to a caller's handle: told at the call. */
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
  /** Values of expressions that are only half evaluated. */
  readonly temps: readonly Value[];
  /** What `return` returns. */
  readonly result: Value;
  readonly self: Value;
  readonly cause: Cause | undefined;
  readonly faults: readonly ArgumentFault[];
  /** The `return` by which control is leaving the function that is analysed. */
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

/** A function that a name always means is found by the name alone. */
function isOwnFunction({ initializer, assignments }: Variable, value: Value): boolean {
  return (
    value.k === 'fn' && assignments === 0 && value.fn === initializer && value.self.k === 'unknown'
  );
}

/** The fact that a condition says by its name that handles are meant to stay. */
export const MEANT_TO_STAY = 'stays';

/** How facts name a variable. */
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

/** What an earlier round of a loop made at the same place is still held by whoever holds that. */
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
