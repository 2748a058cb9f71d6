// Property reads and writes: tracked objects, handles, and `this`.
import { walk } from '../syntax/children.ts';
import type { FunctionNode, MemberExpression, Node } from '../syntax/node.ts';
import { escapes, escapeValue } from './closures.ts';
import { create, escape, heldTwice, instanceOf, move, use, without } from './lifetime.ts';
import { endsUnseen, isOfAnother, isStepOfOthers } from './overwrites.ts';
import { readsState, predicate } from './predicates.ts';
import { reachable } from './reach.ts';
import type { Evaluated, FlowRun } from './run.ts';
import {
  withInstance,
  withObject,
  withoutFactsOf,
  type HeapObject,
  type Instance,
  type FlowState,
} from './state.ts';
import { UNKNOWN, constant, promise, type Value } from './value.ts';
import { useView, viewOfHandle, viewOfView } from './views.ts';

/** The id of the object `this` while a method is analyzed separately. */
export const THIS = 'this';

/** Reads a property of a value. */
export function readProperty(
  run: FlowRun,
  state: FlowState,
  object: Value,
  name: string,
  node: Node,
): Evaluated[] {
  if (object.k === 'obj') return [readObject(run, state, object.id, name)];
  // `pool.acquire().promise`: a property of a promise is taken for the promise.
  if (object.k === 'promise') return [{ state, value: object }];
  if (object.k === 'view') {
    const used = useView(run, state, object, run.place(node));
    return [{ state: used, value: viewOfView(run, object, name, node) }];
  }
  if (object.k !== 'ref') return [{ state, value: UNKNOWN }];
  const instance = instanceOf(state, object);
  if (instance === undefined) return [{ state, value: UNKNOWN }];
  if (instance.isGuess && instance.maybeNull && GRANTED.test(name)) {
    return [
      { state: withInstance(state, instance.id, { maybeNull: false }), value: constant(true) },
      { state: without(state, instance.id), value: constant(false) },
    ];
  }
  const known = withInstance(state, instance.id, { maybeNull: false });
  const { contract } = instance;
  if (contract.release.includes(name)) {
    return [{ state: known, value: { k: 'method', target: object, name } }];
  }
  if (contract.carriers.has(name)) return [{ state: known, value: object }];
  const answer = predicate(instance, name);
  if (answer !== undefined) return [{ state: known, value: constant(answer) }];
  if (contract.alsoReleasedBy.has(name)) {
    if (run.tested === node) return [{ state: known, value: UNKNOWN }];
    return [{ state: move(run, known, instance.id, 'escaped', run.place(node)), value: UNKNOWN }];
  }
  const isSafe = contract.safe.has(name) || readsState(name);
  const isInside = instance.leftScope === undefined;
  const used = isSafe && isInside ? known : use(run, known, instance.id, run.place(node), name);
  if (contract.closedOnReject.has(name)) {
    return [{ state: used, value: promise(UNKNOWN, { ends: instance.id }) }];
  }
  return [{ state: used, value: isSafe ? UNKNOWN : viewOfHandle(run, instance, name, node) }];
}

/** Names of properties that tell whether an attempt to acquire succeeded. */
const GRANTED = /^(is_?)?(acquired|success|ok|locked|granted|obtained)$/i;

function readObject(run: FlowRun, state: FlowState, id: string, name: string): Evaluated {
  const ready = id === THIS ? withField(run, state, name) : state;
  const object = ready.heap.get(id);
  if (object === undefined) return { state, value: UNKNOWN };
  const known = object.props.get(name);
  if (known !== undefined) return { state: ready, value: known };
  return { state: ready, value: elementOf(ready, object, name) };
}

/** The element of a tracked array at an index. */
function elementOf({ instances }: FlowState, { kind, rest }: HeapObject, name: string): Value {
  if (kind === 'map') return rest[0] ?? UNKNOWN;
  if (!/^\d+$/.test(name)) return UNKNOWN;
  const isMany = (each: Value): boolean => each.k === 'ref' && !!instances.get(each.id)?.isMany;
  return rest[Number(name)] ?? rest.find(isMany) ?? UNKNOWN;
}

/** Creates the handle of an owned field when a method first reads it. */
function withField(run: FlowRun, state: FlowState, name: string): FlowState {
  const { owner } = run;
  const object = state.heap.get(THIS);
  if (owner === undefined || object === undefined || object.props.has(name)) return state;
  if (run.isConstructing) return state;
  const field = run.world.classInfo(owner).owned.get(name);
  if (field === undefined) return state;
  const { contract, maybeNull } = field;
  const node = { kind: 'this', start: field.start, end: field.end } as const;
  const created = create(run, state, node, { contract, maybeNull, status: 'field' }, `.${name}`);
  const props = new Map(object.props).set(name, created.value);
  const next = withInstance(created.state, (created.value as { id: string }).id, {
    isBound: true,
    isField: true,
  });
  return withObject(next, THIS, { props });
}

/** Writes a property; values stored in untracked objects escape. */
export function storeProperty(
  run: FlowRun,
  state: FlowState,
  object: Value,
  target: MemberExpression,
  value: Value,
): FlowState {
  const { name } = target;
  if (object.k === 'view') return useView(run, state, object, run.place(target));
  if (object.k !== 'obj') {
    // `worker.onmessage = () => worker.terminate()`: it is called on demand.
    if (value.k === 'fn') return escapes(run, state, value, 'unknown');
    const copy = instanceOf(state, value);
    const isLost = isCreatedLocally(run, target) && isCopyForGood(run, copy);
    const isSeen = isLost || isOnlyShown(run, target, copy);
    return isSeen ? state : escape(run, state, value, run.place(target));
  }
  const facts = name === undefined ? state.facts : withoutFactsOf(state.facts, `.${name}`);
  const before = object.id === THIS && name !== undefined ? withField(run, state, name) : state;
  const known = before.heap.get(object.id);
  if (known === undefined) return escape(run, state, value, run.place(target));
  const old = name === undefined ? undefined : known.props.get(name);
  const stored: FlowState = { ...withStored(before, object.id, known, name, value), facts };
  // Until its constructor returns, no other code can release the contents of an object.
  const isOthers = known.isEscaped || (known.isOuter && !run.isConstructing);
  const next = isOthers
    ? escapeValue(run, heldTwice(stored, value), value, run.place(target))
    : stored;
  return old === undefined ? next : overwritten(run, next, old, value, target);
}

/** Whether a copy of plain data is stored for good: the function releases it by name, if at all. */
function isCopyForGood({ root }: FlowRun, instance: Instance | undefined): boolean {
  if (instance?.contract.isCopied !== true) return false;
  let isByCopy = false;
  walk(root.fn ?? root.file.body, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const way = instance.contract.via.find(
      ({ name }) => name === (node.callee as MemberExpression).name,
    );
    if (way !== undefined) isByCopy ||= node.args[way.argument]?.kind !== 'name';
  });
  return !isByCopy;
}

/** `player.src = url`, in a file that never mentions a function that releases such a copy. */
function isOnlyShown(
  run: FlowRun,
  { name = '' }: MemberExpression,
  copy: Instance | undefined,
): boolean {
  if (copy?.contract.isCopied !== true || !SHOWS.test(name)) return false;
  const { text } = run.frame.file;
  return !copy.contract.via.some((each) => text.includes(each.name));
}

const SHOWS = /^(src|href|poster)$/;

/** `anchor.href`, of an `anchor` that this function created. */
function isCreatedLocally(run: FlowRun, { object }: MemberExpression): boolean {
  const variable = object.kind === 'name' ? object.variable : undefined;
  const isLocal = run.frames.some(({ fn }) => fn !== undefined && fn === variable?.home);
  return isLocal && variable?.initializer?.kind === 'call';
}

function withStored(
  state: FlowState,
  id: string,
  object: HeapObject,
  name: string | undefined,
  value: Value,
): FlowState {
  if (object.kind === 'array' && name === 'length') {
    const isEmptied = value.k === 'const' && value.value === 0;
    return withObject(state, id, isEmptied ? EMPTIED : { isExact: false });
  }
  if (name !== undefined) {
    return withObject(state, id, { props: new Map(object.props).set(name, value) });
  }
  if (value.k === 'unknown') return withObject(state, id, { isExact: false });
  return withObject(state, id, { rest: [...object.rest, value] });
}

/** An array whose length was set to 0. */
const EMPTIED: Partial<HeapObject> = { props: new Map(), rest: [], isExact: true };

/** Whether the function is a callback inside a constructor. */
function isOfConstructor(fn: FunctionNode | undefined): boolean {
  for (let each = fn?.outer; each !== undefined; each = each.outer) {
    if (each.form === 'constructor') return true;
  }
  return false;
}

/** A field that owned a handle is overwritten. */
function overwritten(
  run: FlowRun,
  state: FlowState,
  old: Value,
  value: Value,
  target: MemberExpression,
): FlowState {
  const instance = instanceOf(state, old);
  if (instance === undefined) return state;
  const { status, id } = instance;
  if (status !== 'field' && status !== 'escaped') return state;
  if (status === 'escaped' && (instance.isField || !instance.site.isOwn)) return state;
  if (reachable(state).instances.has(id)) return state;
  if (isOfConstructor(run.root.fn) || isStepOfOthers(run)) return state;
  if (isOfAnother(instance) || (status === 'escaped' && endsUnseen(run))) return state;
  // Its receiver may have released it: a browser closes its pages.
  if (value.k === 'nil' && instance.contract.receiverRelease.length > 0) return state;
  // Whether a field that starts empty is assigned again or for the first time is unknown.
  if (instance.maybeNull && !run.world.strict) return state;
  run.addFinding('leak', instance, run.place(target), state.cause, { reason: 'overwritten' });
  return state;
}
