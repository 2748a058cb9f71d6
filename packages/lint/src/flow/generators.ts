// Generators: a call only makes one, `yield*` and `for … of` run it.
import type { Yield } from '../syntax/node.ts';
import { applyBody } from './invoke.ts';
import { born, withoutUses } from './promises.ts';
import { abandon } from './expressions.ts';
import type { Out, Run } from './run.ts';
import { UNKNOWN } from './value.ts';

/** `yield*`: what it delegates to runs here, and may be abandoned wherever it yields. */
export function yieldStar(run: Run, node: Yield, { state, value }: Out): Out[] {
  if (value.k === 'generator') {
    return applyBody(run, value.fn, value.args, UNKNOWN, state, node);
  }
  abandon(run, node, state);
  // An operation of a pipeline: what it answers is there when the role goes on.
  if (value.k === 'promise') {
    return [{ state: born(withoutUses(state, value.uses), value), value: value.value }];
  }
  return [{ state, value: UNKNOWN }];
}
