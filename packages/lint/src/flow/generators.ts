// Generators: a call only makes one, `yield*` and `for … of` run it.
import type { Yield } from '../syntax/node.ts';
import { applyBody } from './invoke.ts';
import { whenFulfilled, withoutUses } from './promises.ts';
import { abandon } from './expressions.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { UNKNOWN } from './value.ts';

/** `yield*`: what it delegates to runs here, and may be abandoned wherever it yields. */
export function yieldStar(run: FlowRun, node: Yield, { state, value }: Evaluated): Evaluated[] {
  if (value.k === 'generator') {
    return applyBody(run, value.fn, value.args, UNKNOWN, state, node);
  }
  abandon(run, node, state);
  // An operation of a pipeline: what it answers is there when the role goes on.
  if (value.k === 'promise') {
    return [{ state: whenFulfilled(withoutUses(state, value.uses), value), value: value.value }];
  }
  return [{ state, value: UNKNOWN }];
}
