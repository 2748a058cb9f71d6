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
export type Status =
  | 'idle'
  | 'pending'
  | 'live'
  | 'scoped'
  | 'released'
  | 'given'
  | 'kept'
  | 'param'
  | 'borrowed'
  | 'field';

/** Where an instance came from. */
export interface Site {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** `acquire()`. */
  readonly what: string;
  /** It was created in this function's own code, and not given to it. */
  readonly isOwn: boolean;
}

export interface Place {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

export interface Instance {
  readonly id: string;
  readonly site: Site;
  readonly contract: Contract;
  readonly status: Status;
  /** The variable that holds it may hold nothing instead. */
  readonly maybeNull: boolean;
  /** It was bound to a name, or stored. */
  readonly isBound: boolean;
  /** The instance that has to outlive it. */
  readonly parent: string | undefined;
  /** The stack that releases it. */
  readonly owner: string | undefined;
  /** Where it was released, moved, or left its scope. */
  readonly at: Place | undefined;
  /** It was passed where it may have found another owner: no leak unless this function releases. */
  readonly isShared: boolean;
  /** What locks it was let go of, and what it stands for was not ended. */
  readonly isLet: boolean;
  /** Only its name says that it is a handle: claimed where the function releases it. */
  readonly isGuess: boolean;
  /** Where closures that run later use it. */
  readonly late: readonly Place[];
  /** Where it was last put into a variable or a collection. */
  readonly stored: Place | undefined;
  /** Where it left the scope that releases it. */
  readonly left: Place | undefined;
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
  readonly isKept: boolean;
}

/** A pending use of a handle, by a promise that nobody has awaited. */
export interface Use {
  readonly instance: string;
  readonly place: Place;
  /** A method of its own, which is none of those that release it. */
  readonly isItsMethod: boolean;
}

export type FaultKind = 'double-release' | 'use-after-release' | 'escaping-handle';

/** What was done wrong to a caller's handle: told at the call. */
export interface Fault {
  readonly kind: FaultKind;
  readonly instance: string;
}

export interface State {
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
  readonly faults: readonly Fault[];
  /** The `return` by which control is leaving the function that is analysed. */
  readonly exit: Place | undefined;
}

export const START: State = {
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

export function withInstance(state: State, id: string, change: Partial<Instance>): State {
  const known = state.instances.get(id);
  if (known === undefined) return state;
  return { ...state, instances: withEntry(state.instances, id, { ...known, ...change }) };
}

export function withVariable(state: State, variable: Variable, value: Value): State {
  const kept = value.k === 'unknown' || isItsOwn(variable, value) ? undefined : value;
  if (state.env.get(variable) === kept && state.facts.size === 0) return state;
  const facts = withoutFactsOf(state.facts, factName(variable));
  return { ...state, env: withEntry(state.env, variable, kept), facts };
}

/** A function that a name always means is found by the name alone. */
function isItsOwn({ initializer, assignments }: Variable, value: Value): boolean {
  return (
    value.k === 'fn' && assignments === 0 && value.fn === initializer && value.self.k === 'unknown'
  );
}

/** The fact that a condition says by its name that handles are meant to stay. */
export const STAYS = 'stays';

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

export function withObject(state: State, id: string, change: Partial<HeapObject>): State {
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
  state: State,
  id: string,
  kind: HeapObject['kind'],
  given: Partial<HeapObject> = {},
): State {
  const rest = [...(given.rest ?? []), ...olderContents(state.heap.get(id))];
  const object: HeapObject = {
    kind,
    props: new Map(),
    isOuter: false,
    isKept: false,
    isWrapper: false,
    ...given,
    rest,
  };
  return { ...state, heap: withEntry(state.heap, id, object) };
}

export function pushTemp(state: State, value: Value): State {
  return { ...state, temps: [...state.temps, value] };
}

export function popTemp(state: State): State {
  return { ...state, temps: state.temps.slice(0, -1) };
}
