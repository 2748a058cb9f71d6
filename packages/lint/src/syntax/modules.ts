// The module that an expression refers to, by syntax alone: a `require` call, or a namespace.
import type { Expression, Name } from './node.ts';
import type { Variable } from './variable.ts';

/** The most initializers that are followed, since names may be circular. */
const MAX_STEPS = 4;

/** `find` returns the variable of a name. */
export function moduleOf(
  node: Expression,
  find: (name: Name) => Variable | undefined,
  steps = 0,
): string | undefined {
  if (steps > MAX_STEPS) return undefined;
  const inner = (part: Expression): string | undefined => moduleOf(part, find, steps + 1);
  switch (node.kind) {
    case 'await':
      return inner(node.operand);
    case 'member':
      // `require('fs').promises`, `require('pg').default`.
      return /^(promises|default)$/.test(node.name ?? '') ? inner(node.object) : undefined;
    case 'call': {
      const [first] = node.args;
      const isLoading = node.callee.kind === 'name' && node.callee.text === 'require';
      return isLoading && first?.kind === 'literal' ? String(first.value) : undefined;
    }
    case 'name': {
      const { imported, initializer } = find(node) ?? {};
      if (imported === undefined) return initializer && inner(initializer);
      return /^(\*|default|promises)$/.test(imported.imported) ? imported.module : undefined;
    }
    default:
      return undefined;
  }
}
