// Finds roles of kernels, and callbacks of cleanup scopes such as `tf.tidy`.
import { walk } from '../syntax/children.ts';
import type { CallExpression, Expression, FunctionNode, SourceFile } from '../syntax/node.ts';

export interface RoleFunction {
  readonly fn: FunctionNode;
  /** It is a round of a loop, which gets its state and returns the next one. */
  readonly isRound: boolean;
}

/** The name in `poundlock` that a call calls. */
export function importedFrom({ callee }: CallExpression): string | undefined {
  const imported = callee.kind === 'name' ? callee.variable?.imported : undefined;
  return imported !== undefined && isPoundlock(imported.module) ? imported.imported : undefined;
}

/** Whether the kernel declares RAII ownership. */
export function isRaii(file: SourceFile): boolean {
  let hasRaii = false;
  if (!file.text.includes('raii')) return false;
  walk(file.body, (node) => {
    const isKernel = node.kind === 'call' && importedFrom(node) === 'kernel';
    hasRaii ||= isKernel && node.args.length > 3;
  });
  return hasRaii;
}

const DRIVERS = new Set(['role', 'loop']);

/** The functions of a file that are roles of a kernel, or rounds of their loops. */
export function roleFunctions(file: SourceFile): RoleFunction[] {
  if (!file.imports.some(({ module }) => isPoundlock(module))) return [];
  const roles: RoleFunction[] = [];
  walk(file.body, (node) => {
    const driver = node.kind === 'call' ? importedFrom(node) : undefined;
    if (node.kind !== 'call' || driver === undefined || !DRIVERS.has(driver)) return;
    for (const fn of node.args) {
      if (fn.kind === 'function') roles.push({ fn, isRound: driver === 'loop' });
    }
  });
  // Functions that roles call: other code does not run generators of operations.
  const roleBodies = new Set(roles.map(({ fn }) => fn));
  for (const fn of file.functions) {
    if (fn.isGenerator && !roleBodies.has(fn)) roles.push({ fn, isRound: false });
  }
  return roles;
}

function isPoundlock(module: string): boolean {
  return module === 'poundlock' || module.startsWith('poundlock/');
}

/** A name that no file of the project declares. */
function isImported({ variable }: Extract<Expression, { kind: 'name' }>): boolean {
  return variable === undefined || variable.imported?.module.startsWith('.') === false;
}

/** Callbacks whose created, unreturned handles are released by the caller: `tf.tidy(() => …)`. */
export function tidiedFunctions(
  file: SourceFile,
  names: ReadonlySet<string>,
): [FunctionNode, string][] {
  const callbacks: [FunctionNode, string][] = [];
  if (![...names].some((name) => file.text.includes(`${name}(`))) return callbacks;
  walk(file.body, (node) => {
    if (node.kind !== 'call') return;
    const { callee } = node;
    const isForeign = callee.kind === 'name' && isImported(callee);
    const name = callee.kind === 'member' ? callee.name : isForeign ? callee.text : undefined;
    if (name === undefined || !names.has(name)) return;
    for (const argument of node.args)
      if (argument.kind === 'function') callbacks.push([argument, name]);
  });
  return callbacks;
}
