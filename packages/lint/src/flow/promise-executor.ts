// Handles that the callback of an older interface hands on to a promise:
// `new Promise((resolve) => fs.open(path, (error, fd) => resolve(fd)))`.
import { walk } from '../syntax/children.ts';
import type { Call, FunctionNode, Node, Pattern } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { Run } from './run.ts';
import type { Shape } from './world.ts';

/** What the promise of such an executor is fulfilled with. */
export function promisedBy(run: Run, { parameters, body, file }: FunctionNode): Shape | undefined {
  const resolve = variableOf(parameters[0]?.target);
  if (resolve === undefined || body === undefined) return undefined;
  let found: Shape | undefined;
  walk(body, (node) => {
    if (node.kind !== 'call' || found !== undefined) return;
    const { gives } = run.world.target(node, file);
    const callback = gives && node.args[gives.argument];
    if (gives === undefined || gives.option !== undefined || callback === undefined) return;
    const at = gives.shapes.findIndex(({ k }) => k === 'handle');
    if (at >= 0 && handsOn(callback, at, resolve)) found = { k: 'promise', of: gives.shapes[at]! };
  });
  return found;
}

function variableOf(target: Pattern | undefined): Variable | undefined {
  return target?.kind === 'name' ? target.variable : undefined;
}

/** Whether a callback calls `resolve` with what it was given. */
function handsOn(callback: Node, at: number, resolve: Variable): boolean {
  if (callback.kind !== 'function' || callback.body === undefined) return false;
  const given = variableOf(callback.parameters[at]?.target);
  let isResolved = false;
  walk(callback.body, (node) => {
    if (node.kind !== 'call' || given === undefined) return;
    isResolved ||= isNamed(node, resolve) && isIt(node.args[0], given);
  });
  return isResolved;
}

function isNamed({ callee }: Call, variable: Variable): boolean {
  return callee.kind === 'name' && callee.variable === variable;
}

function isIt(node: Node | undefined, variable: Variable): boolean {
  return node?.kind === 'name' && node.variable === variable;
}
