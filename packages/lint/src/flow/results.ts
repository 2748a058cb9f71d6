// Results of calls: handles, and objects that contain handles.
import type { Contract } from '../contract/contract.ts';
import type { Node } from '../syntax/node.ts';
import { factKey } from './conditions.ts';
import { goesWithOuter } from './captured-releases.ts';
import { create, idAt } from './lifetime.ts';
import { reachableFrom } from './reach.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { newObject, withInstance, type FlowState } from './state.ts';
import { UNKNOWN, constant, promise, type Value } from './value.ts';
import type { ValueShape } from './world.ts';

interface Making {
  readonly parent: string | undefined;
  readonly isPending: boolean;
  readonly isMany: boolean;
  readonly path: string;
  readonly mayReject: boolean;
}

/** Creates the handles of a shape at a node; several states for alternatives. */
export function resultOf(
  run: FlowRun,
  state: FlowState,
  shape: ValueShape,
  node: Node,
  parent: string | undefined,
  mayReject: boolean,
): Evaluated[] {
  const start = { parent, isPending: false, isMany: false, path: '', mayReject };
  return make(run, state, shape, node, start);
}

function make(
  run: FlowRun,
  state: FlowState,
  shape: ValueShape,
  node: Node,
  making: Making,
): Evaluated[] {
  switch (shape.k) {
    case 'nothing':
      return [{ state, value: UNKNOWN }];
    case 'constant':
      return [{ state, value: constant(shape.value) }];
    case 'handle':
      return [handle(run, state, shape, node, making)];
    case 'promise':
      return make(run, state, shape.of, node, { ...making, isPending: true }).map((out) => ({
        state: out.state,
        value: promise(out.value, { mayReject: making.mayReject }),
      }));
    case 'many': {
      const inner = { ...making, isMany: true, path: `${making.path}*` };
      const id = `${idAt(run, node)}${making.path}[]`;
      return make(run, state, shape.of, node, inner).map((out) => {
        const rest = out.value.k === 'unknown' ? [] : [out.value];
        return { state: newObject(out.state, id, 'array', { rest }), value: { k: 'obj', id } };
      });
    }
    case 'tuple': {
      const entries = shape.of.map((each, index) => [String(index), each] as const);
      return object(run, state, entries, node, making, 'array');
    }
    case 'object':
      return object(run, state, [...shape.of], node, making, 'object');
    case 'either':
      return shape.of.flatMap((each) => make(run, state, each, node, making));
  }
}

function handle(
  run: FlowRun,
  state: FlowState,
  shape: Extract<ValueShape, { k: 'handle' }>,
  node: Node,
  { parent, isPending, isMany, path }: Making,
): Evaluated {
  const { contract, maybeNull, isGuess = false, needsProof = false, isBorrowed } = shape;
  const idle = contract.starts.length > 0;
  // A lock must be released by this function; a page may be left to its browser.
  const ends = contract.release.length > 0 ? contract.receiverRelease : [];
  const isOthers = isReleasedByScope(run, contract) || goesWithOuter(run, node, ends);
  const owned = isOthers ? 'escaped' : isPending ? 'pending' : idle ? 'idle' : 'live';
  const status = isBorrowed ? 'borrowed' : owned;
  const birth = { contract, maybeNull, status, parent, isMany, isGuess, needsProof } as const;
  const created = create(run, state, node, birth, path);
  const id = created.value.k === 'ref' ? created.value.id : '';
  const isOf = contract.receiverRelease.length > 0;
  // If the receiver of a lock is unknown, any later lookup may release it.
  const anything = contract.release.length === 0 ? UNKNOWN_RECEIVER : undefined;
  const receiver = isOf ? (receiverOf(node) ?? anything) : undefined;
  return receiver === undefined
    ? created
    : { ...created, state: withInstance(created.state, id, { receiver }) };
}

/** Whether the caller of the current callback releases the handle. */
export function isReleasedByScope(run: FlowRun, { tidies, release }: Contract): boolean {
  if (tidies.length === 0) return false;
  if (isInEngineScope(run)) return true;
  return (
    tidies.some((name) => run.cleanups.includes(name)) ||
    isLeftToOthers(run, [...tidies, ...release])
  );
}

/** `tf.engine().startScope()`: handles created before `endScope()` are released by it. */
function isInEngineScope({ root }: FlowRun): boolean {
  const { start, end } = root.fn ?? root.file.body;
  return /\bstartScope\(\)[^]*\bendScope\(\)/.test(root.file.text.slice(start, end));
}

/**
 * A synchronous function that releases none of the handles that it creates is assumed to be called
 * inside a cleanup scope.
 */
function isLeftToOthers({ root, world }: FlowRun, names: readonly string[]): boolean {
  const { fn } = root;
  if (fn === undefined || fn.isAsync || fn.form === 'constructor') return false;
  const text = fn.file.text.slice(fn.start, fn.end);
  const hasNoRelease = names.every((name) => text.search(`${name}\\(`) < 0);
  return hasNoRelease && !world.isCalledUntidied(fn);
}

/** Handles returned by the callback of `tidy` belong to the caller of `tidy`. */
export function escapeFromScope(
  run: FlowRun,
  { state, value }: Evaluated,
  node: Node,
): Evaluated | undefined {
  let next = state;
  for (const id of reachableFrom(state, [value]).instances) {
    const each = state.instances.get(id);
    if (each?.status !== 'escaped' || each.contract.tidies.length === 0) continue;
    if (isReleasedByScope(run, each.contract)) return { state, value };
    const site = { ...run.place(node), what: '', isOwn: true };
    next = withInstance(next, id, { status: 'live', site, isBound: false });
  }
  return next === state ? undefined : { state: next, value };
}

/** The key of a computed receiver. */
export const UNKNOWN_RECEIVER = '?';

/** The key of calls without a receiver: `acquireLock()` pairs with `releaseLock()`. */
const NO_RECEIVER = '';

/** `this.mutex` of `this.mutex.acquire()`. */
export function receiverOf(node: Node): string | undefined {
  if (node.kind !== 'call') return undefined;
  return node.callee.kind === 'member' ? factKey(node.callee.object) : NO_RECEIVER;
}

function object(
  run: FlowRun,
  state: FlowState,
  entries: readonly (readonly [string, ValueShape])[],
  node: Node,
  making: Making,
  kind: 'object' | 'array',
): Evaluated[] {
  let rows: { state: FlowState; props: Map<string, Value> }[] = [{ state, props: new Map() }];
  for (const [name, shape] of entries) {
    const inner = { ...making, path: `${making.path}.${name}` };
    rows = rows.flatMap((row) =>
      make(run, row.state, shape, node, inner).map((out) => ({
        state: out.state,
        props: new Map(row.props).set(name, out.value),
      })),
    );
  }
  const id = `${idAt(run, node)}${making.path}{}`;
  return rows.map(({ state: each, props }) => ({
    state: newObject(each, id, kind, { props }),
    value: { k: 'obj', id },
  }));
}
