// DisposableStack and AsyncDisposableStack, which own the handles registered with them.
import type { CallExpression } from '../syntax/node.ts';
import { effectsOf } from './closures.ts';
import { create, move, use } from './lifetime.ts';
import { reachableFrom } from './reach.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { withInstance, type FlowState } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

const STACK_ID = 'std.stack';

/** `use`, `adopt`, `defer` and `move` of a stack; `undefined` for anything else. */
export function stackMethod(
  run: FlowRun,
  node: CallExpression,
  id: string,
  name: string,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] | undefined {
  const stack = state.instances.get(id);
  if (stack?.contract.id !== STACK_ID) return undefined;
  if (!['use', 'adopt', 'defer', 'move'].includes(name)) return undefined;
  const used = started(use(run, state, id, run.place(node)), id);
  const [first = UNKNOWN] = args;
  if (name === 'move') return [moved(run, node, id, used)];
  if (name === 'defer') return [{ state: deferred(run, id, first, used), value: UNKNOWN }];
  return [{ state: registered(run, node, id, first, used), value: first }];
}

/** An empty stack has nothing to release: its obligation starts with the first registration. */
function started(state: FlowState, id: string): FlowState {
  return state.instances.get(id)?.status === 'idle'
    ? withInstance(state, id, { status: 'live' })
    : state;
}

function registered(
  run: FlowRun,
  node: CallExpression,
  owner: string,
  value: Value,
  state: FlowState,
): FlowState {
  let next = state;
  const { instances } = reachableFrom(state, [value.k === 'promise' ? value.value : value]);
  for (const id of instances) {
    const status = state.instances.get(id)?.status;
    if (id === owner) continue;
    if (status === 'live' || status === 'pending' || status === 'param' || status === 'idle') {
      next = withInstance(next, id, { status: 'scoped', owner, isBound: true });
    } else next = move(run, next, id, 'moved', run.place(node));
  }
  return next;
}

/** The stack becomes responsible for the handles that a deferred function releases. */
function deferred(run: FlowRun, owner: string, value: Value, state: FlowState): FlowState {
  let next = state;
  const ids =
    value.k === 'fn'
      ? [...effectsOf(run, state, value).releases.keys()]
      : [...reachableFrom(state, [value]).instances];
  for (const id of ids) {
    const status = next.instances.get(id)?.status;
    if (status === 'live' || status === 'pending' || status === 'param') {
      next = withInstance(next, id, { status: 'scoped', owner });
    }
  }
  return next;
}

/** A new stack owns everything; the old one is disposed and empty. */
function moved(run: FlowRun, node: CallExpression, id: string, state: FlowState): Evaluated {
  const { contract } = state.instances.get(id)!;
  const created = create(run, state, node, { contract, status: 'live' });
  const owner = (created.value as { id: string }).id;
  const instances = new Map(created.state.instances);
  for (const [member, instance] of instances) {
    // Handles of the old stack's scope move to the new stack.
    if (instance.owner === id) instances.set(member, { ...instance, owner, leftScope: undefined });
  }
  const next = { ...created.state, instances };
  const old = instances.get(id)!;
  const status = old.status === 'scoped' ? 'scoped' : 'released';
  return { state: withInstance(next, id, { status, at: run.place(node) }), value: created.value };
}
