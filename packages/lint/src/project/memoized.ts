// Functions that a hook returns unchanged: `useCallback((url) => …, [])`.
import type { CallExpression, Expression, FunctionNode } from '../syntax/node.ts';

const HANDS_BACK = /^(useCallback|useEffectEvent|useEvent|useMemoizedFn|useStableCallback)$/;

/** The function that was passed to a memoizing hook and assigned to the called name. */
export function memoized(callee: Expression): FunctionNode | undefined {
  const variable = callee.kind === 'name' ? callee.variable : undefined;
  const initializer = variable?.assignments === 0 ? variable.initializer : undefined;
  if (initializer?.kind !== 'call' || !HANDS_BACK.test(nameOf(initializer) ?? '')) return undefined;
  const [first] = initializer.args;
  return first?.kind === 'function' ? first : undefined;
}

function nameOf({ callee }: CallExpression): string | undefined {
  if (callee.kind === 'member') return callee.name;
  return callee.kind === 'name' ? callee.text : undefined;
}
