// Locks that a function takes and leaves for another to let go: on the way out by an exception its
// caller does not know that it has them.
import { mayRelease } from '../contract/contract.ts';
import type { Run } from './run.ts';
import { withInstance, type Instance, type State } from './state.ts';

/** The text of the function that is analysed. */
export function rootText({ root }: Run): string {
  const { start, end } = root.fn ?? root.file.body;
  return root.file.text.slice(start, end);
}

/** Also by way of another function: `this.#unlockAll()`. */
const LETS_GO = /unlock|release|leave/i;

/** A lock of `this`, taken by the analysed function, which says nowhere that it lets go. */
export function isHeldOn(run: Run, instance: Instance): boolean {
  const { contract, site, receiver, isBound, status } = instance;
  const { fn, file } = run.root;
  if (contract.heldOn === undefined || receiver === undefined) return false;
  if (isBound || status !== 'live') return false;
  if (fn === undefined || site.file !== file || site.start < fn.start || site.end > fn.end) {
    return false;
  }
  const text = file.text.slice(site.start, site.end);
  // Others see it: one of the function's own ends with its time, or never.
  if (!text.startsWith('this.')) return false;
  const all = rootText(run);
  return contract.heldOn.test(text) && !mayRelease(all, contract) && !LETS_GO.test(all);
}

/** A function that ends as it should leaves its locks to whoever lets go of them. */
export function leftHeld(run: Run, state: State): State {
  let next = state;
  for (const each of state.instances.values()) {
    if (each.contract.heldOn === undefined || !isHeldOn(run, each)) continue;
    next = withInstance(next, each.id, { status: 'kept' });
  }
  return next;
}
