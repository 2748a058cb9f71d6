// The name of the function or method that a call names.
import type { CallExpression } from './node.ts';

export function calledName({ callee }: CallExpression): string | undefined {
  return callee.kind === 'name' ? callee.text : callee.kind === 'member' ? callee.name : undefined;
}
