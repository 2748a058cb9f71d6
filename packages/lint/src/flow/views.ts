// Views: values derived from a handle, which live as long as the handle.
import type { CallExpression, Node } from '../syntax/node.ts';
import { pendingUse } from './handle-call.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { withInstance, type FlowState, type Instance, type SourceRange } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

export type ViewValue = Extract<Value, { k: 'view' }>;

/** Members whose result is a copy, or has nothing to do with the object. */
const COPIES = new RegExp(
  '^(slice|map|flatMap|filter|concat|join|reduce|find\\w*|indexOf|includes|clone|copy|freeze|' +
    'to[A-Z]\\w*|every|some|forEach|next|then|catch|finally|on|once|off|emit|\\w+Listener)$',
);

/** Whether a member's result shares what it is a member of. */
function isShared(name: string): boolean {
  return !COPIES.test(name);
}

/** What a member of a handle gives: a view, unless its type has no identity. */
export function viewOfHandle(
  run: FlowRun,
  { id, contract }: Instance,
  name: string,
  node: Node,
): Value {
  if (contract.isModel || contract.mustCall || !isShared(name) || !('origin' in node)) {
    return UNKNOWN;
  }
  const kind = run.world.viewKind(node);
  // Objects of other types may be plain results.
  const isStated = !contract.isStructural && !contract.usableAfter;
  if (kind === 'none' || (kind === 'object' && !isStated)) return UNKNOWN;
  return { k: 'view', id, isMemory: kind === 'memory' };
}

/** What a member of a view gives. */
export function viewOfView(run: FlowRun, view: ViewValue, name: string, node: Node): Value {
  if (!isShared(name) || !('origin' in node)) return UNKNOWN;
  const kind = run.world.viewKind(node);
  return kind === 'none' ? UNKNOWN : { ...view, isMemory: view.isMemory || kind === 'memory' };
}

/** Uses a view: an error when its handle was released or moved. */
export function useView(
  run: FlowRun,
  state: FlowState,
  { id, isMemory }: ViewValue,
  place: SourceRange,
): FlowState {
  const instance = state.instances.get(id);
  if (instance === undefined) return state;
  if (instance.contract.usableAfter && !isMemory) return state;
  run.onAccess?.('use', id, place);
  const { status, at } = instance;
  if (status !== 'released' && status !== 'moved') return state;
  const reason = status === 'moved' ? 'moved' : undefined;
  const found = run.fault('use-after-release', state, instance, place, {
    other: at,
    ...(reason && { reason }),
  });
  // It is reported once.
  return withInstance(found, id, { status: 'escaped' });
}

/** Uses the views among the arguments of a call. */
export function useArguments(
  run: FlowRun,
  { args }: CallExpression,
  values: readonly Value[],
  state: FlowState,
): FlowState {
  let next = state;
  for (const [index, value] of values.entries()) {
    const node = args[index];
    if (value.k === 'view' && node) next = useView(run, next, value, run.place(node));
  }
  return next;
}

/** A promise that a call with views returns uses their handles until it settles. */
export function usedByPromise(
  run: FlowRun,
  node: Node,
  out: Evaluated,
  views: readonly Value[],
): Evaluated {
  let next = out;
  for (const value of views) {
    const instance = value.k === 'view' ? next.state.instances.get(value.id) : undefined;
    if (instance?.status === 'live' || instance?.status === 'scoped') {
      next = pendingUse(run, node, next, instance);
    }
  }
  return next;
}

/** A view is stored in a variable that outlives the function: it must not outlive its handle. */
export function storeView(state: FlowState, { id }: ViewValue, place: SourceRange): FlowState {
  const instance = state.instances.get(id);
  if (instance === undefined || instance.status === 'escaped') return state;
  const { lateUses } = instance;
  if (lateUses.some(({ start }) => start === place.start)) return state;
  return withInstance(state, id, { lateUses: [...lateUses, place] });
}

/** The handles of the views in a result. */
export function viewsIn(state: FlowState, result: Value): ViewValue[] {
  if (result.k === 'view') return [result];
  if (result.k === 'promise') return viewsIn(state, result.value);
  const object = result.k === 'obj' ? state.heap.get(result.id) : undefined;
  const inside = object === undefined ? [] : [...object.props.values(), ...object.rest];
  return inside.filter((each) => each.k === 'view');
}
