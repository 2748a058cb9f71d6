// Limits sets of states: merges equal states, and joins states that differ only in facts without
// effect on ownership.
import { factName, type FlowState } from './state.ts';
import { partsOf, UNKNOWN, type Value } from './value.ts';

/** The most states at one point; dropping further ones can only miss findings. */
export const MAX_STATES = 32;

function isOwnership(value: Value): boolean {
  switch (value.k) {
    case 'ref':
    case 'view':
    case 'obj':
    case 'generator':
    case 'method':
    case 'releaser':
      return true;
    case 'fn':
      return false;
    case 'promise':
      return value.rejected !== undefined || value.uses.length > 0 || isOwnership(value.value);
    default:
      return partsOf(value).some(isOwnership);
  }
}

function valueKey(value: Value): string {
  switch (value.k) {
    case 'ref':
    case 'obj':
      return value.id;
    case 'view':
      return `v${value.isMemory}${value.id}`;
    case 'promise':
      return `p(${valueKey(value.value)},${value.rejected !== undefined},${value.uses.join()})`;
    case 'method':
      return `m(${valueKey(value.target)}.${value.name})`;
    case 'releaser':
      return `r(${value.ids.join()})`;
    case 'fn':
      return `f${value.fn.start}`;
    case 'generator':
      return `g${value.fn.start}(${value.args.map(valueKey).join()})`;
    case 'const':
      return `=${value.value}`;
    case 'cond':
      return `?${value.not}${value.key}`;
    default:
      return value.k;
  }
}

/** Caches keys by map, because states share most of their maps. */
function memoized<M extends object>(keyOf: (map: M) => string): (map: M) => string {
  const known = new WeakMap<M, string>();
  return (map) => {
    const found = known.get(map);
    if (found !== undefined) return found;
    const key = keyOf(map);
    known.set(map, key);
    return key;
  };
}

const instancesKey = memoized((instances: FlowState['instances']): string => {
  const parts: string[] = [];
  for (const each of instances.values()) {
    const { id, status, maybeNull, isShared, leftScope, lateUses, owner } = each;
    const { contract, releasedBy } = each;
    parts.push(
      `${id}:${status}${maybeNull ? '?' : ''}${isShared ? 's' : ''}${leftScope ? 'l' : ''}`,
    );
    if (lateUses.length > 0 || owner !== undefined) parts.push(`${lateUses.length}${owner}`);
    if (each.releasedLater !== undefined) parts.push('later');
    const isRelevant = releasedBy?.startsWith('closure:') || contract.answersAfter.size > 0;
    if (status === 'released' && isRelevant) parts.push(`by ${releasedBy}`);
  }
  return parts.toSorted().join();
});

const envKey = memoized((env: FlowState['env']): string => {
  const parts: string[] = [];
  for (const [variable, value] of env) {
    if (isOwnership(value)) parts.push(`${variable.id}=${valueKey(value)}`);
  }
  return parts.toSorted().join();
});

const heapKey = memoized((heap: FlowState['heap']): string => {
  const holders = holdersIn(heap);
  const isOf = (value: Value): boolean =>
    value.k === 'obj' ? holders.has(value.id) : isOwnership(value);
  const parts: string[] = [];
  for (const [id, object] of heap) {
    const { props, rest, isEscaped } = object;
    if (!holders.has(id)) continue;
    const inside: string[] = [];
    for (const [name, value] of props) if (isOf(value)) inside.push(`${name}=${valueKey(value)}`);
    parts.push(`${id}{${inside.join()};${rest.filter(isOf).map(valueKey).join()}${isEscaped}}`);
  }
  return parts.toSorted().join();
});

/** The objects that contain a handle or may receive one. */
function holdersIn(heap: FlowState['heap']): ReadonlySet<string> {
  const found = new Set<string>();
  const holds = (value: Value): boolean =>
    value.k === 'obj' ? found.has(value.id) : value.k === 'fn' || isOwnership(value);
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const [id, { props, rest, isEscaped, isOuter }] of heap) {
      if (isEscaped || isOuter || rest.some(holds) || [...props.values()].some(holds))
        found.add(id);
    }
  }
  return found;
}

/** The key by which states are merged. */
export const ownershipKey = memoized((state: FlowState): string => {
  const { result, temps, uses, faults, instances, env, heap } = state;
  const ends = `${valueKey(result)}|${temps.map(valueKey).join()}|${[...uses.keys()].join()}`;
  const parts = [instancesKey(instances), envKey(env), heapKey(heap), ends, faultsKey(faults)];
  return parts.join('|');
});

function faultsKey(faults: FlowState['faults']): string {
  return faults.map(({ kind, instance }) => `${kind}${instance}`).join();
}

function sameValue(one: Value, other: Value | undefined): boolean {
  return other !== undefined && (one === other || valueKey(one) === valueKey(other));
}

function common<K, V>(
  one: ReadonlyMap<K, V>,
  other: ReadonlyMap<K, V>,
  same: (a: V, b: V | undefined) => boolean,
): ReadonlyMap<K, V> {
  if (one === other) return one;
  let copy: Map<K, V> | undefined;
  for (const [key, value] of one) {
    if (!same(value, other.get(key))) (copy ??= new Map(one)).delete(key);
  }
  return copy ?? one;
}

/** Joins two states of the same ownership. */
function join(one: FlowState, other: FlowState): FlowState {
  if (one === other) return one;
  const cause = sureness(one) <= sureness(other) ? one.cause : other.cause;
  const heap = one.heap === other.heap ? one.heap : joinedHeap(one, other);
  const env = common(one.env, other.env, sameValue);
  const shared = common(one.facts, other.facts, (a, b) => a === b);
  if (one.facts.size === 0 && other.facts.size === 0) {
    return { ...one, heap, env, facts: shared, cause };
  }
  const facts = new Map(shared);
  // A flag may be set in one and only known in the other.
  for (const [flags, known] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const [variable, value] of flags.env) {
      if (value.k !== 'const' || typeof value.value !== 'boolean') continue;
      const name = factName(variable);
      if (known.facts.get(name) === value.value) facts.set(name, value.value);
    }
  }
  return { ...one, heap, env, facts, cause };
}

/** The certainty of a state's cause: lower is more certain. */
function sureness({ cause }: FlowState): number {
  return (cause?.tier ?? 0) + (cause?.isMisuse ? 0.5 : 0);
}

function joinedHeap(one: FlowState, other: FlowState): FlowState['heap'] {
  const heap = new Map(one.heap);
  for (const [id, object] of one.heap) {
    const counterpart = other.heap.get(id);
    const props = common(object.props, counterpart?.props ?? object.props, sameValue);
    const isExact = object.isExact && counterpart?.isExact !== false;
    if (props !== object.props || isExact !== object.isExact) {
      heap.set(id, { ...object, props, isExact });
    }
  }
  return heap;
}

/** Whether two states have the same {@link ownershipKey}, which need not be computed for that. */
function isSameOwnership(one: FlowState, other: FlowState): boolean {
  const { instances, env, heap, temps, uses, faults } = one;
  return (
    (instances === other.instances || instancesKey(instances) === instancesKey(other.instances)) &&
    (env === other.env || envKey(env) === envKey(other.env)) &&
    (heap === other.heap || heapKey(heap) === heapKey(other.heap)) &&
    sameValue(one.result, other.result) &&
    temps.length === other.temps.length &&
    temps.every((value, index) => sameValue(value, other.temps[index])) &&
    (uses === other.uses || [...uses.keys()].join() === [...other.uses.keys()].join()) &&
    (faults === other.faults || faultsKey(faults) === faultsKey(other.faults))
  );
}

/** Merges two states if their ownership is the same. */
function foldTwo(one: FlowState, other: FlowState): FlowState[] {
  return isSameOwnership(one, other) ? [join(one, other)] : [one, other];
}

/** Merges states by ownership; at most {@link MAX_STATES} remain. */
export function fold(states: readonly FlowState[]): FlowState[] {
  const [first, second, third] = states;
  if (first === undefined || second === undefined) return [...states];
  if (third === undefined) return foldTwo(first, second);
  const groups = new Map<string, FlowState>();
  for (const state of states) {
    const key = ownershipKey(state);
    const known = groups.get(key);
    groups.set(key, known === undefined ? state : join(known, state));
  }
  return [...groups.values()].slice(0, MAX_STATES);
}

/** More states than this inside an expression are merged by ownership. */
const MANY = 6;

/** Merges states inside expressions; untracked values are dropped if there are many. */
export function foldTemps(states: FlowState[]): FlowState[] {
  if (states.length <= MANY) return states;
  return fold(
    states.map((state) => ({
      ...state,
      temps: state.temps.map((value) => (isOwnership(value) || value.k === 'fn' ? value : UNKNOWN)),
    })),
  );
}

/** Merges states with values; untracked values are dropped if there are many. */
export function foldOuts<O extends { readonly state: FlowState; readonly value: Value }>(
  outs: O[],
): O[] {
  if (outs.length <= MANY) return outs;
  const groups = new Map<string, O[]>();
  for (const out of outs) {
    const isOf = isOwnership(out.value) || out.value.k === 'fn';
    const weak = isOf || 'short' in out ? out : { ...out, value: UNKNOWN };
    const key = `${valueKey(weak.value)}${'short' in out}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [weak]);
    else known.push(weak);
  }
  return [...groups.values()].flatMap(foldGroup);
}

/** Merges results of equal value; each state keeps a value that occurred with its ownership. */
function foldGroup<O extends { readonly state: FlowState; readonly value: Value }>(
  group: readonly O[],
): O[] {
  const byOwnership = new Map<string, O>();
  for (const out of group) {
    const key = ownershipKey(out.state);
    const known = byOwnership.get(key);
    if (known === undefined) byOwnership.set(key, out);
    else {
      const surest = certainty(out.value) < certainty(known.value) ? out : known;
      byOwnership.set(key, { ...surest, state: join(known.state, out.state) });
    }
  }
  return [...byOwnership.values()].slice(0, MAX_STATES);
}

/** The certainty of a rejection: lower is more certain. */
function certainty(value: Value): number {
  return value.k === 'promise' ? (value.rejected?.tier ?? 0) : 0;
}
