// Captured variables: a handle assigned in one function may be released in another closure.
import { endsArgument } from '../obligations/vocabulary.ts';
import { calledName } from '../syntax/called-name.ts';
import { walk, walkOwn } from '../syntax/children.ts';
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

/**
 * Whether a function that is known before a variable has its handle releases it: it is called
 * later. One that is written before may call others: `on(() => { done(); end(); })`.
 */
export function isReleasedBefore(variable: Variable, { site, contract }: Instance): boolean {
  const { captured, home } = variable;
  if (!captured) return false;
  const { functions } = site.file;
  const isInside = (fn: FunctionNode): boolean => home === undefined || isIn(fn, home);
  const reached = new Set(functions.filter((fn) => fn.start < site.end && isInside(fn)));
  const around = home?.body ?? site.file.body;
  const add = (names: ReadonlySet<Variable>): void => {
    for (const fn of functions) {
      if (fn.self !== undefined && names.has(fn.self) && isInside(fn)) reached.add(fn);
    }
  };
  add(namesIn(around, site));
  // A set is iterated over to what is added meanwhile.
  for (const fn of reached) {
    if (releases(fn, variable, contract.release)) return true;
    if (fn.body !== undefined) add(namesIn(fn.body, fn));
  }
  return false;
}

/** The variables that are named in a part of a body. */
function namesIn(
  body: Node,
  part: { readonly start: number; readonly end: number },
): Set<Variable> {
  const found = new Set<Variable>();
  walk(body, (node) => {
    if (node.kind !== 'name' || node.variable === undefined) return;
    if (part.start <= node.start && node.end <= part.end) found.add(node.variable);
  });
  return found;
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
  const isIt = (node: Node): boolean => node.kind === 'name' && node.variable === variable;
  walkOwn(fn.body, (node) => {
    if (node.kind !== 'call') return;
    found ||= endsArgument(calledName(node) ?? '') && node.args.some(isIt);
    if (node.callee.kind !== 'member') return;
    const { object, name = '' } = node.callee;
    found ||= isIt(object) && names.includes(name);
  });
  return found;
}
