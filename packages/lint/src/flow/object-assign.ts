// `Object.assign(target, parts)`: the target also holds the handles of the parts.
import type { CallExpression } from '../syntax/node.ts';
import { escape } from './lifetime.ts';
import { reachableFrom } from './reach.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { withObject, type FlowState } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

export function assigned(
  run: FlowRun,
  node: CallExpression,
  args: readonly Value[],
  state: FlowState,
): Evaluated {
  const [first = UNKNOWN, ...parts] = args;
  let next = state;
  for (const part of parts) {
    const object = part.k === 'obj' ? next.heap.get(part.id) : undefined;
    if (object === undefined) continue;
    const target = first.k === 'obj' ? next.heap.get(first.id) : undefined;
    if (first.k === 'obj' && target !== undefined && !target.isOuter && !target.isEscaped) {
      const props = new Map([...target.props, ...object.props]);
      next = withObject(next, first.id, { props, rest: [...target.rest, ...object.rest] });
    } else if (first.k === 'unknown' && holdsCopies(part, next)) {
      // The result holds the copied handles.
      return { state: next, value: part };
    } else {
      next = escape(run, next, part, run.place(node));
    }
  }
  return { state: next, value: first };
}

function holdsCopies(value: Value, state: FlowState): boolean {
  const ids = [...reachableFrom(state, [value]).instances];
  return ids.length > 0 && ids.every((id) => state.instances.get(id)?.contract.isCopied === true);
}
