// Indirect releases: calls on the object that a handle came from, or on its wrapper.
import type { CallExpression, MemberExpression } from '../syntax/node.ts';
import { factKey } from './conditions.ts';
import { evaluate } from './expressions.ts';
import { release } from './lifetime.ts';
import { reachableFrom } from './reach.ts';
import { UNKNOWN_RECEIVER, receiverOf } from './results.ts';
import type { FlowRun } from './run.ts';
import { factName, withInstance, type Instance, type FlowState } from './state.ts';

/** `controller.abort()`: the operation that it was created for may be over. */
export function endedByOther(name: string, state: FlowState): FlowState {
  let next = state;
  for (const { id, contract, status } of state.instances.values()) {
    if (status === 'live' && contract.endedBy.has(name)) {
      next = withInstance(next, id, { status: 'escaped' });
    }
  }
  return next;
}

/** `mutex.release()` after `mutex.acquire()`: the lock is released through its receiver. */
export function releasedByReceiver(
  run: FlowRun,
  node: CallExpression,
  name: string,
  state: FlowState,
): FlowState | undefined {
  const all: Instance[] = [];
  let receiver: string | undefined;
  for (const each of state.instances.values()) {
    if (each.receiver === undefined || !each.contract.receiverRelease.includes(name)) continue;
    receiver ??= receiverOf(node) ?? UNKNOWN_RECEIVER;
    if (each.receiver === receiver) all.push(each);
  }
  // A lock is released once; closing a parent closes all handles that came from it.
  const isLock = all.every(({ contract }) => !contract.release.includes(name));
  const one = all.find(({ status }) => status === 'live') ?? all[0];
  let next = state;
  for (const { id } of isLock && one !== undefined ? [one] : all) {
    next = withOffspring(run, release(run, next, id, run.place(node)), id, name, node);
  }
  return all.length === 0 ? undefined : next;
}

/** Closing a browser closes its contexts, and with them their pages. */
function withOffspring(
  run: FlowRun,
  state: FlowState,
  id: string,
  name: string,
  node: CallExpression,
): FlowState {
  const names = new Set<string>();
  for (const [variable, value] of state.env) {
    if (value.k === 'ref' && value.id === id) names.add(factName(variable));
  }
  let next = state;
  for (const each of names.size > 0 ? state.instances.values() : []) {
    const { receiver, contract, status } = each;
    if (receiver === undefined || !names.has(receiver) || status === 'released') continue;
    if (!contract.receiverRelease.includes(name)) continue;
    next = withOffspring(run, release(run, next, each.id, run.place(node)), each.id, name, node);
  }
  return next;
}

/** `manager.end()` after `manager.getConnection()`: the manager may release its handles. */
export function endedWith(
  run: FlowRun,
  node: CallExpression,
  { object }: MemberExpression,
  state: FlowState,
): FlowState {
  const { fn } = run.world.target(node, run.frame.file);
  if (fn?.body === undefined) return state;
  const { text } = run.frame.file;
  const source = `${text.slice(object.start, object.end)}.`;
  let next = state;
  for (const { id, site, status } of state.instances.values()) {
    const isItsOwn = site.file === run.frame.file && text.startsWith(source, site.start);
    if (isItsOwn && status === 'live') next = withInstance(next, id, { isShared: true });
  }
  return next;
}

/** `session.client.release()` after `new Session(client)`. */
export function releasedInside(
  run: FlowRun,
  node: CallExpression,
  { object, name = '' }: MemberExpression,
  state: FlowState,
): FlowState | undefined {
  if (object.kind !== 'member' || factKey(object) === undefined) return undefined;
  const [holder] = evaluate(run, object.object, state);
  if (holder?.value.k !== 'obj' || !state.heap.get(holder.value.id)?.isWrapper) return undefined;
  const { instances } = reachableFrom(state, [holder.value]);
  const [id, ...others] = [...instances].filter((each) =>
    state.instances.get(each)?.contract.release.includes(name),
  );
  return id === undefined || others.length > 0
    ? undefined
    : release(run, state, id, run.place(node));
}
