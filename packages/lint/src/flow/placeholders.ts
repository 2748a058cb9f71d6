// Methods that subclasses have to implement.
import type { FunctionNode } from '../syntax/node.ts';
import { isPrivate } from './class-info.ts';

/** `protocol() { throw new Error('not implemented'); }`: a method that subclasses override. */
export function isPlaceholder(fn: FunctionNode): boolean {
  const { owner, isStatic, body } = fn;
  if (owner === undefined || isStatic || isPrivate(fn) || body?.kind !== 'block') return false;
  const [first] = body.statements;
  return body.statements.length === 1 && first?.kind === 'throw';
}
