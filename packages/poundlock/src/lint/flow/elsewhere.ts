// Variables that several functions share: what one of them fills, another may release.
import { walkOwn } from '../syntax/children.ts';
import type { FunctionNode } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { Run } from './run.ts';
import type { Instance } from './state.ts';

/** A function beside those that are being walked calls a releasing method of the variable. */
export function isReleasedElsewhere(run: Run, variable: Variable, instance: Instance): boolean {
  if (!variable.captured || variable.home === undefined) return false;
  if (variable.home === run.frame.fn) return false;
  const inside = new Set(run.frames.map(({ fn }) => fn));
  const { release } = instance.contract;
  return run.frame.file.functions.some(
    (fn) => !inside.has(fn) && isIn(fn, variable.home) && releases(fn, variable, release),
  );
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
