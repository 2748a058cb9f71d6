// What runs while a lock is held: a promise that is returned without `await` goes on after
// `finally` has given the lock back, and nothing is locked any more while it does.
import type { Call, Expression } from '../syntax/node.ts';
import { excerpt } from './report.ts';
import type { Out, Run } from './run.ts';
import { withEntry, type Instance } from './state.ts';

/** `return work()` while a lock is held: its promise needs the lock until it settles. */
export function guarded(run: Run, node: Expression, out: Out): Out {
  if (node.kind !== 'call') return out;
  const { instances } = out.state;
  const locks = [...instances.values()].filter((each) => each.status === 'live' && isLock(each));
  if (locks.length === 0 || !goesOn(run, node, out)) return out;
  let { uses } = out.state;
  const place = run.place(node);
  for (const { id } of locks) {
    uses = withEntry(uses, `${node.start}:${id}`, { instance: id, place, isItsMethod: false });
  }
  return { ...out, state: { ...out.state, uses } };
}

/** `mutex.acquire()`, of whatever make, where what it answers is called to let go. */
const NAMED = /(lock|mutex|semaphore)\w*[!?]?\.\w+\(/i;

function isLock({ contract, site }: Instance): boolean {
  return contract.guards || (contract.mustCall && NAMED.test(excerpt(site)));
}

/** Whether a call answers a promise that something is still to be done for. */
function goesOn(run: Run, node: Call, { value }: Out): boolean {
  const { callee } = node;
  const isSettled =
    callee.kind === 'member' && callee.object.kind === 'name' && callee.object.text === 'Promise';
  if (isSettled && /^(resolve|reject)$/.test(callee.name ?? '')) return false;
  if (value.k === 'promise') return true;
  const target = run.world.target(node, run.frame.file);
  return target.isPromise || target.fn?.isAsync === true;
}
