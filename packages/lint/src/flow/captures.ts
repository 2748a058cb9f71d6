// The captured variables of a function, including those of its inner functions.
import { walk } from '../syntax/children.ts';
import type { FunctionNode } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';

const known = new WeakMap<FunctionNode, readonly Variable[]>();

function isInside(home: FunctionNode | undefined, fn: FunctionNode): boolean {
  for (let each = home; each !== undefined; each = each.outer) if (each === fn) return true;
  return false;
}

export function capturedBy(fn: FunctionNode): readonly Variable[] {
  const cached = known.get(fn);
  if (cached !== undefined) return cached;
  const found = new Set<Variable>();
  walk(fn, (node) => {
    if (node.kind !== 'name' || node.variable === undefined) return;
    const { variable } = node;
    if (variable.home !== undefined && !isInside(variable.home, fn)) found.add(variable);
  });
  const variables = [...found];
  known.set(fn, variables);
  return variables;
}
