// The module that an expression is, by syntax alone: what `require` answers, or a namespace.
import type { Expression } from './node.ts';
import type { Variable } from './variable.ts';

/** `find` says what a name means. */
export function moduleOf(
  node: Expression,
  find: (name: string) => Variable | undefined,
): string | undefined {
  switch (node.kind) {
    case 'await':
      return moduleOf(node.operand, find);
    case 'member':
      // `require('fs').promises`, `(await import('pg')).default`.
      return /^(promises|default)$/.test(node.name ?? '') ? moduleOf(node.object, find) : undefined;
    case 'call': {
      const [first] = node.args;
      const isLoading = node.callee.kind === 'name' && node.callee.text === 'require';
      return isLoading && first?.kind === 'literal' ? String(first.value) : undefined;
    }
    case 'name':
      return namespaceOf(find(node.text), find);
    default:
      return undefined;
  }
}

function namespaceOf(
  variable: Variable | undefined,
  find: (name: string) => Variable | undefined,
): string | undefined {
  const imported = variable?.imported;
  if (imported !== undefined) {
    return /^(\*|default|promises)$/.test(imported.imported) ? imported.module : undefined;
  }
  const made = variable?.initializer;
  // One step of names: a circle of them would not end.
  return made === undefined || made.kind === 'name' ? undefined : moduleOf(made, find);
}
