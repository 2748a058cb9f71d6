// Lowers function values: what they capture goes with them.
import type { Place } from '../calculus/core.ts';
import { forEachChild } from '../syntax/children.ts';
import type { FunctionNode, Node } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { THIS, type Lower } from './lower.ts';

/** The place of a function value. */
export function closureOf(to: Lower, fn: FunctionNode): Place {
  const x = to.temporary();
  makeClosure(to, fn, x);
  return x;
}

export function makeClosure(to: Lower, fn: FunctionNode, x: Place): void {
  const { values, variables } = to.project.placesOf(fn, to.self);
  const { assigned } = to.project.captures(fn);
  to.emit({ k: 'closure', x, f: to.project.keyOf(fn, to.self), values, variables }, fn);
  // Only calls of its own name show when it changes a flag.
  if (assigned.length > 0 && !isOnlyCalled(to, fn)) {
    for (const variable of assigned) {
      const name = to.factOf(variable);
      if (name !== undefined) to.emit({ k: 'flag', name, value: 'unknown' }, fn);
    }
  }
  void THIS;
}

/** Whether every mention of a function is a call of its name. */
function isOnlyCalled(to: Lower, fn: FunctionNode): boolean {
  const root = to.fn?.body;
  const variable = fn.self ?? nameOf(root, fn);
  if (root === undefined || variable === undefined || variable.assignments > 0) return false;
  return everyUse(root, variable);
}

function nameOf(root: Node | undefined, fn: FunctionNode): Variable | undefined {
  let found: Variable | undefined;
  const look = (node: Node): void => {
    if (node.kind === 'variables') {
      for (const { target, initializer } of node.declarations) {
        if (initializer === fn && target.kind === 'name') found = target.variable;
      }
    }
    forEachChild(node, look);
  };
  if (root !== undefined) look(root);
  return found;
}

function everyUse(root: Node, variable: Variable): boolean {
  let isCalled = true;
  const look = (node: Node): void => {
    if (node.kind === 'call' && node.callee.kind === 'name' && node.callee.variable === variable) {
      return node.args.forEach(look);
    }
    if (node.kind === 'variables') {
      for (const { target, initializer } of node.declarations) {
        if (target.kind !== 'name') look(target);
        if (initializer !== undefined) look(initializer);
      }
      return;
    }
    if (node.kind === 'name' && node.variable === variable) isCalled = false;
    forEachChild(node, look);
  };
  look(root);
  return isCalled;
}
