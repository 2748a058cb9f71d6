// Handles that nothing reaches any more: which of them are leaks.
import type { Variable } from '../syntax/variable.ts';
import { instanceOf } from './lifetime.ts';
import { isHandedOff } from './locks-on-throw.ts';
import { reachable, reachableFrom } from './reach.ts';
import type { FlowRun } from './run.ts';
import { factName, MEANT_TO_STAY, withInstance, withoutFactsOf } from './state.ts';
import type { FlowState, HandleStatus, Instance } from './state.ts';

const LOSABLE: ReadonlySet<HandleStatus> = new Set(['live', 'pending']);

/** Reports unreachable live handles and removes them. */
export function sweep(run: FlowRun, state: FlowState, isFinal = false): FlowState {
  if (state.instances.size === 0 && state.heap.size === 0) return state;
  const reached = reachable(state);
  let instances: Map<string, Instance> | undefined;
  for (const [id, instance] of state.instances) {
    if (reached.instances.has(id) || isRemembered(instance)) continue;
    instances ??= new Map(state.instances);
    const isLost = LOSABLE.has(instance.status);
    if (isLost && !isFinal && instance.receiver !== undefined) {
      // Closing the parent closes it, whether or not it is reachable.
      if (instance.contract.release.length > 0) continue;
      if (!instance.isBound) {
        // Its receiver can still release it, here or in another function.
        instances.set(id, { ...instance, isShared: true });
        continue;
      }
    }
    // A view is still there, whose handle was released or is lost now.
    if (reached.viewed.has(id))
      instances.set(id, isLost ? { ...instance, status: 'escaped' } : instance);
    else instances.delete(id);
    if (isLost) reportLeak(run, state, instance);
  }
  const heap = withoutUnreached(state.heap, reached.objects);
  if (instances === undefined && heap === state.heap) return state;
  return { ...state, instances: instances ?? state.instances, heap };
}

/** A field, or a handle of the caller that has ended: what became of it is what a function does. */
function isRemembered({ isField, site, status }: Instance): boolean {
  return isField || (!site.isOwn && !LOSABLE.has(status));
}

function withoutUnreached(
  heap: FlowState['heap'],
  reached: ReadonlySet<string>,
): FlowState['heap'] {
  const unreached = [...heap.keys()].filter((id) => !reached.has(id));
  if (unreached.length === 0) return heap;
  const remaining = new Map(heap);
  for (const id of unreached) remaining.delete(id);
  return remaining;
}

/** Reports a handle that is lost, unless it is meant to stay. */
export function reportLeak(run: FlowRun, before: FlowState, instance: Instance): void {
  const { site, isBound, owner, bornDuring } = instance;
  if (owner !== undefined && before.instances.get(owner)?.status === 'live') return;
  // An exception from before the acquisition is not why it is lost.
  const isEarlier = bornDuring !== undefined && before.cause === bornDuring;
  const state = isEarlier ? { ...before, cause: undefined } : before;
  const decided = state.facts.get(MEANT_TO_STAY);
  if (decided !== undefined && (decided || state.cause === undefined)) return;
  if (instance.isDetached && isLetOnPurpose(run, state)) return;
  if (isHandedOff(run, instance)) {
    run.addFinding('leak', { ...instance, isShared: false }, site, state.cause, {
      other: state.exit,
    });
    return;
  }
  const how = isBound ? { other: state.exit } : { reason: 'dropped' as const };
  run.addFinding('leak', instance, site, state.cause, how);
}

/** Whether the leak is intended: the stream has ended, or an unrelated operation failed. */
function isLetOnPurpose({ root }: FlowRun, { cause }: FlowState): boolean {
  if (cause !== undefined) return cause.tier > 0 && cause.isAbandoned !== true;
  const { start, end } = root.fn ?? root.file.body;
  return OVER.test(root.file.text.slice(start, end));
}

/** The end marker of event streams, and the flag of an aborted request. */
const OVER = /\[DONE\]|\baborted\b/;

/** Ends variables, except those that reachable closures capture. */
export function endVariables(
  run: FlowRun,
  state: FlowState,
  variables: readonly Variable[],
): FlowState {
  const present = variables.filter((each) => state.env.has(each));
  let { facts } = state;
  if (facts.size > 0) for (const each of variables) facts = withoutFactsOf(facts, factName(each));
  if (present.length === 0) return facts === state.facts ? state : { ...state, facts };
  const env = new Map(state.env);
  for (const each of present) env.delete(each);
  const without = { ...adoptReceivers(state, present), env, facts };
  const reached = reachable(without).variables;
  for (const each of present) if (reached.has(each)) env.set(each, state.env.get(each)!);
  const after = sweep(run, without);
  noteEnds(run, present, state, after);
  return after;
}

/** Notes what becomes of the handles in variables of the analyzed function. */
function noteEnds(
  { world, frames, silenced, recordsFaults }: FlowRun,
  variables: readonly Variable[],
  before: FlowState,
  after: FlowState,
): void {
  if (world.ends === undefined || frames.length > 1 || silenced > 0 || recordsFaults) return;
  for (const each of variables) {
    const instance = instanceOf(before, before.env.get(each)!);
    if (instance !== undefined) world.ends.add(each, instance, before, after);
  }
}

/**
 * Handles of an unreachable parent are attributed to the parent's receiver; those of one that is
 * returned, or that other code holds, go with it.
 */
function adoptReceivers(state: FlowState, gone: readonly Variable[]): FlowState {
  let next = state;
  const returned = reachableFrom(state, [state.result]).instances;
  for (const variable of gone) {
    const parent = instanceOf(state, state.env.get(variable)!);
    if (parent === undefined) continue;
    const { receiver: source, status } = parent;
    const leaves = returned.has(parent.id) || status === 'escaped' || status === 'moved';
    const name = factName(variable);
    for (const { id, receiver, contract } of state.instances.values()) {
      if (receiver !== name) continue;
      if (leaves && contract.release.length > 0)
        next = withInstance(next, id, { status: 'escaped' });
      else if (source !== undefined) next = withInstance(next, id, { receiver: source });
    }
  }
  return next;
}
