// Rest parameters: the remaining arguments of a call are the elements of an array.
import type { FunctionNode, Node } from '../syntax/node.ts';
import { idAt } from './lifetime.ts';
import type { FlowRun } from './run.ts';
import { newObject, type FlowState } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

/** The parameter that receives an argument: the last one, if it is a rest parameter. */
export function parameterAt(
  fn: FunctionNode | undefined,
  index: number,
): FunctionNode['parameters'][number] | undefined {
  const last = fn?.parameters.at(-1);
  return fn?.parameters[index] ?? (last?.rest === true ? last : undefined);
}

/** The arguments by parameter, with those of a rest parameter in an array. */
export function byParameter(
  run: FlowRun,
  fn: FunctionNode,
  args: readonly Value[],
  state: FlowState,
  node: Node,
): { args: readonly Value[]; state: FlowState } {
  const last = fn.parameters.length - 1;
  if (fn.parameters[last]?.rest !== true) return { args, state };
  const elements: Value[] = [];
  for (const [index, value] of args.entries()) {
    if (index < last) continue;
    const isSpread = node.kind === 'call' && node.args[index]?.kind === 'spread';
    const spread = isSpread && value.k === 'obj' ? state.heap.get(value.id) : undefined;
    if (spread !== undefined) elements.push(...spread.props.values(), ...spread.rest);
    else elements.push(isSpread ? UNKNOWN : value);
  }
  const leading = args.slice(0, last);
  if (elements.every(({ k }) => k === 'unknown' || k === 'nil' || k === 'const')) {
    return { args: [...leading, UNKNOWN], state };
  }
  const id = `${idAt(run, node)}rest`;
  const props = new Map(elements.map((value, index) => [String(index), value]));
  return {
    args: [...leading, { k: 'obj', id }],
    state: newObject(state, id, 'array', { props }),
  };
}
