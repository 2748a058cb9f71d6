// Methods of arrays, maps and sets whose contents are tracked.
import type { CallExpression } from '../syntax/node.ts';
import { popTemps } from './expressions.ts';
import { emptied, splitMany } from './iteration.ts';
import { stored } from './assign.ts';
import { fold } from './fold.ts';
import { sweep } from './leaks.ts';
import { escape, heldTwice, idAt, instanceOf } from './lifetime.ts';
import { invoke } from './invoke.ts';
import { reachableFrom } from './reach.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { isEmptyCollection, newObject, pushTemp, withInstance, withObject } from './state.ts';
import type { HeapObject } from './state.ts';
import type { FlowState } from './state.ts';
import { NIL, UNKNOWN, type Value } from './value.ts';

export function isCollectionClass(name: string): boolean {
  return /^(Weak)?(Map|Set)$|^Array$/.test(name);
}

interface Context {
  readonly run: FlowRun;
  readonly node: CallExpression;
  readonly id: string;
  readonly object: HeapObject;
  readonly args: readonly Value[];
  readonly state: FlowState;
}

const METHODS: Readonly<Record<string, (context: Context) => Evaluated[]>> = {
  push: (context) => [added(context, context.args)],
  unshift: (context) => [added(context, context.args)],
  add: (context) => [added(context, context.args)],
  set: put,
  delete: removed,
  pop: (context) => taken(context, true),
  shift: (context) => taken(context, false),
  forEach: (context) => each(context, 'forEach'),
  map: (context) => each(context, 'map'),
  flatMap: (context) => each(context, 'map'),
  filter: filtered,
  clear: cleared,
  get: found,
  has: (context) => [{ state: context.state, value: UNKNOWN }],
  at: found,
  find: found,
  values: (context) => [listed(context)],
  reverse: (context) => [{ state: context.state, value: { k: 'obj', id: context.id } }],
  slice: copied,
  splice: drained,
  concat: joined,
  toReversed: copied,
  some: (context) => each(context, 'some'),
  every: (context) => each(context, 'some'),
  reduce: (context) => each(context, 'some'),
};

/** A method of a collection; `undefined` for unknown methods. */
export function collectionMethod(
  run: FlowRun,
  node: CallExpression,
  id: string,
  name: string,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] | undefined {
  const object = state.heap.get(id);
  if (object === undefined || object.kind === 'object') return undefined;
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  return method?.({ run, node, id, object, args, state });
}

/** A new array with the same contents: emptying one leaves the other. */
function copied({ run, node, object, state }: Context): Evaluated[] {
  const id = idAt(run, node);
  const { isExact } = object;
  const next = newObject(state, id, 'array', { rest: contents(object), isExact });
  return [{ state: next, value: { k: 'obj', id } }];
}

/** A new array with the contents of all. */
function joined({ run, node, object, args, state }: Context): Evaluated[] {
  const id = idAt(run, node);
  let { isExact } = object;
  const rest = contents(object);
  for (const value of args) {
    const other = value.k === 'obj' ? state.heap.get(value.id) : undefined;
    if (other?.kind === 'array') rest.push(...contents(other));
    else if (value.k !== 'unknown') rest.push(value);
    isExact &&= other?.kind === 'array' && other.isExact;
  }
  const next = newObject(state, id, 'array', { rest, isExact });
  return [{ state: next, value: { k: 'obj', id } }];
}

function contents({ props, rest }: HeapObject): Value[] {
  return [...props.values(), ...rest].filter(
    ({ k }) => k !== 'unknown' && k !== 'const' && k !== 'nil',
  );
}

/** Adds values to a collection; they escape if the collection has escaped. */
function added({ run, node, id, object, state }: Context, values: readonly Value[]): Evaluated {
  let next = state;
  const rest = [...object.rest];
  let { isExact } = object;
  for (const value of values) {
    if (value.k === 'unknown' || value.k === 'nil' || value.k === 'const') {
      isExact = false;
      continue;
    }
    const known = instanceOf(next, value);
    if (known) next = withInstance(next, known.id, { isBound: true, stored: run.place(node) });
    if (object.isOuter || object.isEscaped) {
      next = escape(run, heldTwice(next, value), value, run.place(node));
    }
    if (!rest.some((each) => isSame(each, value))) rest.push(value);
  }
  // One abstract element may stand for several: a loop adds another at the same place.
  return { state: withObject(next, id, { rest, isExact }), value: UNKNOWN };
}

function isSame(one: Value, other: Value): boolean {
  const hasId = (one.k === 'ref' && other.k === 'ref') || (one.k === 'obj' && other.k === 'obj');
  return hasId && one.id === other.id;
}

/** `pop`, `shift`: `undefined` if the collection is empty, else one of its elements. */
function taken({ id, object, state }: Context, isLast: boolean): Evaluated[] {
  const elements = contents(object);
  const isOne = (value: Value): boolean => instanceOf(state, value)?.isMany !== true;
  // An element that stands for itself is there, whatever the others are.
  const [first] = elements;
  const element = (isLast ? elements.findLast(isOne) : elements.find(isOne)) ?? first;
  if (element === undefined) {
    return [{ state, value: isEmptyCollection(object) ? NIL : UNKNOWN }];
  }
  const instance = instanceOf(state, element);
  if (instance?.isMany) {
    const { state: split, part } = splitMany(state, instance.id, '~');
    return [
      { state: split, value: part },
      { state: emptied(state, id), value: NIL },
    ];
  }
  const rest = elements.filter((each) => each !== element);
  return [{ state: withObject(state, id, { props: new Map(), rest }), value: element }];
}

function found({ object, args, state }: Context): Evaluated[] {
  const [key] = args;
  const known = key?.k === 'const' ? object.props.get(String(key.value)) : undefined;
  const [first] = contents(object);
  const value = known ?? first ?? UNKNOWN;
  const isPart = known === undefined && value.k === 'ref';
  return [{ state, value: isPart ? { ...value, isPart: true } : value }];
}

/** `map.set('a', handle)`: a constant key is tracked separately. */
function put(context: Context): Evaluated[] {
  const { run, node, id, object, args, state } = context;
  const [key = UNKNOWN, value = UNKNOWN] = args;
  const isEscaped = object.isOuter || object.isEscaped;
  if (key.k !== 'const' || isEscaped) return [added(context, [value])];
  const named = stored(run, state, value, node);
  const props = new Map(object.props).set(String(key.value), value);
  return [{ state: sweep(run, withObject(named, id, { props })), value: UNKNOWN }];
}

function removed({ run, id, object, args, state }: Context): Evaluated[] {
  const [key = UNKNOWN] = args;
  if (key.k !== 'const') return [{ state, value: UNKNOWN }];
  const props = new Map(object.props);
  props.delete(String(key.value));
  return [{ state: sweep(run, withObject(state, id, { props })), value: UNKNOWN }];
}

/** `splice(0)`: moves the contents to another array. */
function drained(context: Context): Evaluated[] {
  const { id } = context;
  const { state, value } = listed(context);
  const first = context.args[0];
  const isAll = first?.k === 'const' && first.value === 0 && context.args.length === 1;
  const isExact = isAll || context.object.isExact;
  return [{ state: withObject(state, id, { props: new Map(), rest: [], isExact }), value }];
}

/** The contents as an array. */
function listed({ run, node, object, state }: Context): Evaluated {
  const { isExact, isOuter, isEscaped } = object;
  return collected(run, node, state, contents(object), isExact && !isOuter && !isEscaped);
}

function cleared({ run, id, state }: Context): Evaluated[] {
  const next = withObject(state, id, { props: new Map(), rest: [], isExact: true });
  return [{ state: sweep(run, next), value: UNKNOWN }];
}

/** Runs a callback for every element; `map` collects what it returns. */
function each(context: Context, kind: 'forEach' | 'map' | 'some'): Evaluated[] {
  const { run, node, object, args, state } = context;
  const [callback = UNKNOWN] = args;
  const elements = contents(object);
  if (isEmptyCollection(object)) {
    return [kind === 'map' ? listed(context) : { state, value: UNKNOWN }];
  }
  if (elements.length === 0) {
    if (callback.k !== 'fn') return [{ state, value: UNKNOWN }];
    return eachUnknown(run, node, kind, callback, state, object.props.size > 0);
  }
  let states = [state];
  for (const element of elements) {
    states = states.flatMap((one) =>
      invoke(run, callback, [element], one, node).map((out) => pushTemp(out.state, out.value)),
    );
  }
  return states.map((one) => {
    const { state: after, values } = popTemps(one, elements.length);
    return kind === 'map' ? collected(run, node, after, values) : { state: after, value: UNKNOWN };
  });
}

function collected(
  run: FlowRun,
  node: CallExpression,
  state: FlowState,
  results: readonly Value[],
  isExact = false,
): Evaluated {
  const id = `${idAt(run, node)}map`;
  // One unknown value stands for all.
  const known = results.filter((value) => value.k !== 'unknown');
  const rest = known.length > 0 || results.length === 0 ? known : [UNKNOWN];
  const parts = { rest, isExact: isExact && known.length === results.length };
  return { state: newObject(state, id, 'array', parts), value: { k: 'obj', id } };
}

/** `Object.values(…)`: everything in an object, as an array. */
export function valuesOf(
  run: FlowRun,
  node: CallExpression,
  id: string,
  state: FlowState,
): Evaluated {
  const object = state.heap.get(id);
  return object === undefined
    ? { state, value: UNKNOWN }
    : collected(run, node, state, contents(object));
}

/** A callback over untracked elements may still create any number of handles. */
export function eachUnknown(
  run: FlowRun,
  node: CallExpression,
  name: string,
  callback: Value,
  state: FlowState,
  isSome = false,
): Evaluated[] {
  const first = invoke(run, callback, [], state, node);
  if (name !== 'map' && name !== 'flatMap') {
    const none = isSome ? [] : [{ state, value: UNKNOWN }];
    const once = fold(first.map((out) => out.state));
    const twice = once.flatMap((one) => invoke(run, callback, [], one, node));
    const all = fold([...once, ...twice.map((out) => out.state)]);
    return [...none, ...all.map((one) => ({ state: one, value: UNKNOWN }))];
  }
  return first.map(({ state: one, value }) => {
    // A second round shows the effect of its exceptions on handles of the first.
    invoke(run, callback, [], pushTemp(one, value), node);
    return collected(run, node, many(one, value), [value]);
  });
}

/** The result of one round stands for all, with the handles that only objects in it hold. */
function many(state: FlowState, value: Value): FlowState {
  const inner = value.k === 'promise' ? value.value : value;
  let next = state;
  for (const id of reachableFrom(state, inner.k === 'fn' ? [] : [inner]).instances) {
    next = withInstance(next, id, { isMany: true });
  }
  return next;
}

/** Elements that a filter removes remain only in the original collection. */
function filtered(context: Context): Evaluated[] {
  const { run, node, id, object, args, state } = context;
  const [callback = UNKNOWN] = args;
  const [element] = contents(object);
  const instance = element && instanceOf(state, element);
  if (element === undefined || !instance?.isMany) return [{ state, value: UNKNOWN }];
  return invoke(run, callback, [element], state, node).map((out) => {
    const { state: split, part } = splitMany(out.state, instance.id, '+');
    const whole = withObject(split, id, { rest: [...object.rest, part] });
    return collected(run, node, whole, [part]);
  });
}
