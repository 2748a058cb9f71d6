// Locks that a function takes and leaves for another to let go: on the way out by an exception its
// caller does not know that it has them.
import { mayRelease } from '../contract/contract.ts';
import type { FlowRun } from './run.ts';
import { withInstance, type Instance, type FlowState } from './state.ts';

/** The text of the function that is analysed. */
export function rootText({ root }: FlowRun): string {
  const { start, end } = root.fn ?? root.file.body;
  return root.file.text.slice(start, end);
}

/** Also by way of another function: `this.#unlockAll()`. */
const RELEASES_LOCK = /unlock|release|leave/i;

/** A lock of `this`, taken by the analysed function, which says nowhere that it lets go. */
export function isHandedOff(run: FlowRun, instance: Instance): boolean {
  const { contract, site, receiver, isBound, status } = instance;
  const { fn, file } = run.root;
  if (contract.handedOff === undefined || receiver === undefined) return false;
  if (isBound || status !== 'live') return false;
  if (fn === undefined || site.file !== file || site.start < fn.start || site.end > fn.end) {
    return false;
  }
  const text = file.text.slice(site.start, site.end);
  // Others see it: one of the function's own ends with its time, or never.
  if (!text.startsWith('this.')) return false;
  const all = rootText(run);
  return contract.handedOff.test(text) && !mayRelease(all, contract) && !RELEASES_LOCK.test(all);
}

/** A function that ends as it should leaves its locks to whoever lets go of them. */
export function leaveLocksHeld(run: FlowRun, state: FlowState): FlowState {
  let next = state;
  for (const each of state.instances.values()) {
    if (each.contract.handedOff === undefined || !isHandedOff(run, each)) continue;
    next = withInstance(next, each.id, { status: 'escaped' });
  }
  return next;
}
