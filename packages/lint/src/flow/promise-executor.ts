// Promise executors that resolve with the handle of a callback:
// `new Promise((resolve) => fs.open(path, (error, fd) => resolve(fd)))`.
import { walk } from '../syntax/children.ts';
import type { CallExpression, FunctionNode, Node, Pattern } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { FlowRun } from './run.ts';
import type { ValueShape } from './world.ts';

/** The shape of the value that the promise of such an executor is fulfilled with. */
export function promisedBy(
  run: FlowRun,
  { parameters, body, file }: FunctionNode,
): ValueShape | undefined {
  const resolve = variableOf(parameters[0]?.target);
  if (resolve === undefined || body === undefined) return undefined;
  let found: ValueShape | undefined;
  walk(body, (node) => {
    if (node.kind !== 'call' || found !== undefined) return;
    const { callbackHandles } = run.world.target(node, file);
    const callback = callbackHandles && node.args[callbackHandles.argument];
    if (
      callbackHandles === undefined ||
      callbackHandles.option !== undefined ||
      callback === undefined
    )
      return;
    const at = callbackHandles.shapes.findIndex(({ k }) => k === 'handle');
    if (at >= 0 && resolvesWith(callback, at, resolve))
      found = { k: 'promise', of: callbackHandles.shapes[at]! };
  });
  return found;
}

function variableOf(target: Pattern | undefined): Variable | undefined {
  return target?.kind === 'name' ? target.variable : undefined;
}

/** Whether a callback calls `resolve` with its parameter. */
function resolvesWith(callback: Node, at: number, resolve: Variable): boolean {
  if (callback.kind !== 'function' || callback.body === undefined) return false;
  const value = variableOf(callback.parameters[at]?.target);
  let isResolved = false;
  walk(callback.body, (node) => {
    if (node.kind !== 'call' || value === undefined) return;
    isResolved ||= isNamed(node, resolve) && isIt(node.args[0], value);
  });
  return isResolved;
}

function isNamed({ callee }: CallExpression, variable: Variable): boolean {
  return callee.kind === 'name' && callee.variable === variable;
}

function isIt(node: Node | undefined, variable: Variable): boolean {
  return node?.kind === 'name' && node.variable === variable;
}
