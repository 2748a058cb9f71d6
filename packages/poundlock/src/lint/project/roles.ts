// Functions that are called in a way of their own: roles of kernels, and callbacks that are tidied.
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

/** Callbacks whose caller releases what they make and do not return: `tf.tidy(() => …)`. */
export function tidiedFunctions(
  file: SourceFile,
  names: ReadonlySet<string>,
): [FunctionNode, string][] {
  const found: [FunctionNode, string][] = [];
  if (![...names].some((name) => file.text.includes(`.${name}(`))) return found;
  walk(file.body, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const { name } = node.callee;
    if (name === undefined || !names.has(name)) return;
    for (const each of node.args) if (each.kind === 'function') found.push([each, name]);
  });
  return found;
}
