// Callbacks of a handle's own methods that continue the work with the handle.
import type { CallExpression } from '../syntax/node.ts';
import { effectsOf } from './closures.ts';
import { invoke } from './invoke.ts';
import { reportLeak } from './leaks.ts';
import type { FlowRun } from './run.ts';
import { withInstance, type Instance, type FlowState } from './state.ts';
import type { Value } from './value.ts';
import type { CallTarget } from './world.ts';

/** Names of methods whose callback is called many times. */
const MANY_TIMES = /^(on|once|off|add|each|for|map|filter|subscribe|listen|watch|use|set|stream)/;

/**
 * `conn.query(sql, (error) => { … conn.release(); })`: a callback that releases the handle owns it
 * from here on, and has to release it on every path. `undefined` where the last argument is none.
 */
export function continued(
  run: FlowRun,
  node: CallExpression,
  { name = '' }: CallTarget,
  { id, status, isShared }: Instance,
  args: readonly Value[],
  state: FlowState,
): FlowState | undefined {
  const callback = args.at(-1);
  if (callback?.k !== 'fn' || status !== 'live' || MANY_TIMES.test(name)) return undefined;
  if (!effectsOf(run, state, callback).releases.has(id)) return undefined;
  const [outs] = run.catching(() => invoke(run, callback, [], state, node));
  for (const { state: after } of outs) {
    const left = after.instances.get(id);
    // A handle passed to an unknown function may belong to it.
    const isTheirs = left?.isShared !== isShared;
    if (left?.status === 'live' && !isTheirs) reportLeak(run, after, left);
  }
  return withInstance(state, id, { status: 'escaped', at: run.place(node) });
}
