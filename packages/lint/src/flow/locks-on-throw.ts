// Locks that a function acquires for another function to release: after an exception the caller
// does not know that they are held.
import { mayRelease } from '../contract/contract.ts';
import type { FlowRun } from './run.ts';
import { withInstance, type Instance, type FlowState } from './state.ts';

/** The text of the analyzed function. */
export function rootText({ root }: FlowRun): string {
  const { start, end } = root.fn ?? root.file.body;
  return root.file.text.slice(start, end);
}

/** Also by way of another function: `this.#unlockAll()`. */
const RELEASES_LOCK = /unlock|release|leave/i;

/** Whether the analyzed function acquires a lock of `this` and never mentions its release. */
export function isHandedOff(run: FlowRun, instance: Instance): boolean {
  const { contract, site, receiver, isBound, status } = instance;
  const { fn, file } = run.root;
  if (contract.handedOff === undefined || receiver === undefined) return false;
  if (isBound || status !== 'live') return false;
  if (fn === undefined || site.file !== file || site.start < fn.start || site.end > fn.end) {
    return false;
  }
  const text = file.text.slice(site.start, site.end);
  // Only locks of `this` are visible to other functions.
  if (!text.startsWith('this.')) return false;
  const all = rootText(run);
  return contract.handedOff.test(text) && !mayRelease(all, contract) && !RELEASES_LOCK.test(all);
}

/** On normal exits, such locks escape to the function that releases them. */
export function leaveLocksHeld(run: FlowRun, state: FlowState): FlowState {
  let next = state;
  for (const each of state.instances.values()) {
    if (each.contract.handedOff === undefined || !isHandedOff(run, each)) continue;
    next = withInstance(next, each.id, { status: 'escaped' });
  }
  return next;
}
