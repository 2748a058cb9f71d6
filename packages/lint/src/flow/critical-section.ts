// Critical sections: a promise that is returned without `await` is still pending after `finally`
// has released the lock, so the rest of its work runs without the lock.
import type { CallExpression, Expression } from '../syntax/node.ts';
import { alternatives } from '../syntax/type-node.ts';
import { pendingUse } from './handle-call.ts';
import { returnsPromise } from './outside-call.ts';
import { excerpt } from './report.ts';
import type { Evaluated, FlowRun } from './run.ts';
import type { Instance } from './state.ts';
import { promise } from './value.ts';

/** `return work()` while a lock is held: its promise needs the lock until it settles. */
export function guarded(run: FlowRun, node: Expression, out: Evaluated): Evaluated {
  if (node.kind !== 'call' || run.frames.length > 1) return out;
  const locks = [...out.state.instances.values()].filter((each) => {
    return each.status === 'live' && isLock(each);
  });
  if (locks.length === 0 || !goesOn(run, node, out)) return out;
  const { value } = out;
  const promised = value.k === 'promise' ? value : promise(value, { mayReject: false });
  let used: Evaluated = { ...out, value: promised };
  for (const lock of locks) used = pendingUse(run, node, used, lock);
  return used;
}

/** `mutex.acquire()` of any library whose result is called to release it. */
const NAMED = /(lock|mutex|semaphore)\w*[!?]?\.\w+\(/i;

export function isLock({ contract, site }: Pick<Instance, 'contract' | 'site'>): boolean {
  return contract.guards || (contract.mustCall && NAMED.test(excerpt(site)));
}

/** Whether a call returns a promise of unfinished work. */
function goesOn(run: FlowRun, node: CallExpression, { value }: Evaluated): boolean {
  const { callee } = node;
  const isSettled =
    callee.kind === 'member' && callee.object.kind === 'name' && callee.object.text === 'Promise';
  if (isSettled && /^(resolve|reject)$/.test(callee.name ?? '')) return false;
  if (value.k === 'promise') return true;
  const target = run.world.target(node, run.frame.file);
  return returnsPromise(target) || isCallbackParameter(run, callee);
}

/** A callback parameter of an async function whose type does not exclude a promise. */
function isCallbackParameter({ frame: { fn } }: FlowRun, callee: Expression): boolean {
  const variable = callee.kind === 'name' ? callee.variable : undefined;
  if (!fn?.isAsync || variable?.form !== 'parameter' || variable.home !== fn) return false;
  if (variable.type === undefined) return true;
  if (variable.type.kind !== 'function') return false;
  return alternatives(variable.type.returns).some((type) => {
    return type.kind === 'named' && [...fn.typeParameters, 'Promise'].includes(type.name);
  });
}
