// Generators: a call creates one; `yield*` and `for … of` run it.
import type { Yield } from '../syntax/node.ts';
import { applyBody } from './invoke.ts';
import { awaited, whenFulfilled, withoutUses } from './promises.ts';
import { abandon } from './expressions.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { UNKNOWN } from './value.ts';

/** `yield*`: the inner generator runs here and may be abandoned at every yield. */
export function yieldStar(run: FlowRun, node: Yield, { state, value }: Evaluated): Evaluated[] {
  if (value.k === 'generator') {
    // An asynchronous one has settled when its last value is taken.
    const outs = applyBody(run, value.fn, value.args, UNKNOWN, state, node);
    return outs.flatMap((out) => (out.value.k === 'promise' ? awaited(run, node, out) : [out]));
  }
  abandon(run, node, state);
  // An operation of a pipeline: its result is available when the role continues.
  if (value.k === 'promise') {
    return [{ state: whenFulfilled(withoutUses(state, value.uses), value), value: value.value }];
  }
  return [{ state, value: UNKNOWN }];
}
