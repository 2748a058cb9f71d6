// Captured variables: a handle assigned in one function may be released in another closure.
import { walkOwn } from '../syntax/children.ts';
import type { FunctionNode, Node } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { FlowRun } from './run.ts';
import type { Instance } from './state.ts';

/** Whether a closure outside the walked functions calls a releasing method of the variable. */
export function isReleasedElsewhere(run: FlowRun, variable: Variable, instance: Instance): boolean {
  if (!variable.captured || variable.home === undefined) return false;
  if (variable.home === run.frame.fn) return false;
  const inside = new Set(run.frames.map(({ fn }) => fn));
  const { release } = instance.contract;
  return run.frame.file.functions.some(
    (fn) => !inside.has(fn) && isIn(fn, variable.home) && releases(fn, variable, release),
  );
}

/** Whether a function written before a variable has its handle releases it: it is called later. */
export function isReleasedBefore(variable: Variable, { site, contract }: Instance): boolean {
  const { captured, home } = variable;
  if (!captured) return false;
  return site.file.functions.some((fn) => {
    const isInside = fn.start < site.end && (home === undefined || isIn(fn, home));
    return isInside && releases(fn, variable, contract.release);
  });
}

/** `browser.newPage()` in a callback, of a browser that the function around it closes. */
export function goesWithOuter(run: FlowRun, node: Node, names: readonly string[]): boolean {
  const object =
    node.kind === 'call' && node.callee.kind === 'member' ? node.callee.object : undefined;
  const variable = object?.kind === 'name' ? object.variable : undefined;
  const home = variable?.home;
  if (variable === undefined || home === undefined || variable.form === 'parameter') return false;
  if (run.frames.some(({ fn }) => fn === home)) return false;
  const { fn: root } = run.root;
  return home.file.functions.some((fn) => {
    const isBeside = (fn === home || isIn(fn, home)) && fn !== root && !isIn(fn, root);
    return isBeside && releases(fn, variable, names);
  });
}

function isIn(fn: FunctionNode, home: FunctionNode | undefined): boolean {
  for (let each = fn.outer; each !== undefined; each = each.outer) if (each === home) return true;
  return false;
}

function releases(fn: FunctionNode, variable: Variable, names: readonly string[]): boolean {
  let found = false;
  if (fn.body === undefined) return false;
  walkOwn(fn.body, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const { object, name = '' } = node.callee;
    found ||= object.kind === 'name' && object.variable === variable && names.includes(name);
  });
  return found;
}
