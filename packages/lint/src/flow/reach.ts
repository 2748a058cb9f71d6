// Reachability in a state: an unreachable live handle has leaked.
import type { FunctionNode } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { capturedBy } from './captures.ts';
import { mapValue, partsOf, type Value } from './value.ts';
import type { HeapObject, Instance, FlowState, Use } from './state.ts';

export interface Reached {
  readonly instances: ReadonlySet<string>;
  readonly objects: ReadonlySet<string>;
  /** Variables that a reachable closure captures. */
  readonly variables: ReadonlySet<Variable>;
  /** Handles that reachable views were derived from: a view does not keep its handle. */
  readonly viewed: ReadonlySet<string>;
}

class Marker {
  readonly instances = new Set<string>();
  readonly objects = new Set<string>();
  readonly variables = new Set<Variable>();
  readonly viewed = new Set<string>();
  readonly #functions = new Set<FunctionNode>();
  readonly #state: FlowState;

  constructor(state: FlowState) {
    this.#state = state;
  }

  value(value: Value): void {
    if (value.k === 'ref') this.#instance(value.id);
    else if (value.k === 'view') this.viewed.add(value.id);
    else if (value.k === 'obj') this.#object(value.id);
    else if (value.k === 'fn') this.#function(value.fn);
    for (const part of partsOf(value)) this.value(part);
  }

  #instance(id: string): void {
    if (this.instances.has(id)) return;
    this.instances.add(id);
    const { owner } = this.#state.instances.get(id) ?? {};
    if (owner !== undefined) this.#instance(owner);
  }

  #object(id: string): void {
    if (this.objects.has(id)) return;
    this.objects.add(id);
    const object = this.#state.heap.get(id);
    if (object === undefined) return;
    for (const each of object.props.values()) this.value(each);
    for (const each of object.rest) this.value(each);
  }

  #function(fn: FunctionNode): void {
    if (this.#functions.has(fn)) return;
    this.#functions.add(fn);
    for (const variable of capturedBy(fn)) {
      this.variables.add(variable);
      const value = this.#state.env.get(variable);
      if (value !== undefined) this.value(value);
    }
  }
}

/** Everything reachable from variables, temporaries, the result and `this`. */
export function reachable(state: FlowState): Reached {
  const marker = new Marker(state);
  for (const value of state.env.values()) marker.value(value);
  for (const value of state.temps) marker.value(value);
  marker.value(state.result);
  marker.value(state.self);
  return marker;
}

/** Everything reachable from some values. */
export function reachableFrom(state: FlowState, roots: readonly Value[]): Reached {
  const marker = new Marker(state);
  for (const value of roots) marker.value(value);
  return marker;
}

/** The state with handles and objects renamed. */
export function renamed(state: FlowState, ids: (id: string) => string): FlowState {
  const value = (each: Value): Value => mapValue(each, ids);
  const entries = <K, V>(map: ReadonlyMap<K, V>, change: (v: V) => V): Map<K, V> =>
    new Map([...map].map(([key, each]) => [key, change(each)]));
  const object = (each: HeapObject): HeapObject => ({
    ...each,
    props: entries(each.props, value),
    rest: each.rest.map(value),
  });
  const instance = (each: Instance): Instance => ({
    ...each,
    id: ids(each.id),
    parent: each.parent && ids(each.parent),
    owner: each.owner && ids(each.owner),
  });
  const use = (each: Use): Use => ({ ...each, instance: ids(each.instance) });
  return {
    ...state,
    env: entries(state.env, value),
    heap: new Map([...state.heap].map(([id, each]) => [ids(id), object(each)])),
    instances: new Map([...state.instances].map(([id, each]) => [ids(id), instance(each)])),
    uses: entries(state.uses, use),
    temps: state.temps.map(value),
    result: value(state.result),
    self: value(state.self),
  };
}
