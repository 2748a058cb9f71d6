// Calls of cleanup functions, which may release their arguments: handles on their other paths.
import type { FunctionNode } from '../syntax/node.ts';
import type { Evaluated } from './run.ts';
import { withInstance } from './state.ts';
import type { FlowState } from './state.ts';
import type { FunctionExit } from './summary.ts';

/** Handles that some paths release and others do not: the difference is not reported. */
export function unsettled(before: FlowState, outs: readonly Evaluated[]): Evaluated[] {
  const open = [...before.instances.values()].filter(({ status }) => status === 'live');
  const split = open.filter(({ id }) => {
    const ends = outs.map(({ state }) => state.instances.get(id)?.status ?? 'gone');
    return ends.includes('released') && new Set(ends).size > 1;
  });
  return outs.map((out) => {
    let { state } = out;
    for (const { id } of split) state = withInstance(state, id, { status: 'escaped' });
    return { ...out, state };
  });
}

/** Names of functions that only release their arguments. */
const ENDS =
  /^(roll_?back|release|close|cleanup|clean_?up|dispose|destroy|end|abort|cancel|teardown|free)/i;

/** A cleanup function that throws is treated like a `close()` that throws. */
export function failedToEnd(
  out: Evaluated,
  { name = '' }: FunctionNode,
  outcomes: readonly FunctionExit[],
  back: ReadonlyMap<string, string>,
): Evaluated {
  if (!ENDS.test(name)) return out;
  const ends = outcomes.filter(({ kind }) => kind === 'return');
  let { state } = out;
  for (const [inside, id] of back) {
    const isEnded = ends.every((each) => each.state.instances.get(inside)?.status === 'released');
    if (ends.length > 0 && isEnded && state.instances.get(id)?.status === 'live') {
      state = withInstance(state, id, { status: 'escaped' });
    }
  }
  return { ...out, state };
}
