// Generators that engines drive: `role('load', function* () { … })` and the bodies of its loops.
import { walk } from '../syntax/children.ts';
import type { FunctionNode, SourceFile } from '../syntax/node.ts';

const DRIVERS = new Set(['role', 'loop']);

/** The functions of a file that are roles of a kernel, or rounds of their loops. */
export function roleFunctions(file: SourceFile): FunctionNode[] {
  if (!file.imports.some(({ module }) => isPoundlock(module))) return [];
  const found: FunctionNode[] = [];
  walk(file.body, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'name') return;
    const { variable } = node.callee;
    const imported = variable?.imported;
    if (imported === undefined || !isPoundlock(imported.module)) return;
    if (!DRIVERS.has(imported.imported)) return;
    for (const each of node.args) if (each.kind === 'function') found.push(each);
  });
  return found;
}

export function isPoundlock(module: string): boolean {
  return module === 'poundlock' || module.startsWith('poundlock/');
}
