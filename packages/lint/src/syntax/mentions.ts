// The names of types in a type annotation.
import type { TypeNode } from './type-node.ts';

const MAX_TYPE_DEPTH = 4;

/** Whether a type annotation names a type for which the predicate is true. */
export function mentions(
  type: TypeNode | undefined,
  isHandle: (name: string) => boolean,
  depth = 0,
): boolean {
  if (type === undefined || depth > MAX_TYPE_DEPTH) return false;
  const inner = (part: TypeNode): boolean => mentions(part, isHandle, depth + 1);
  switch (type.kind) {
    case 'named':
      return isHandle(type.name) || type.args.some(inner);
    case 'array':
      return inner(type.element);
    case 'tuple':
      return type.elements.some(inner);
    case 'union':
      return type.members.some(inner);
    case 'object':
      return type.members.some((member) => inner(member.type));
    case 'function':
      return type.parameters.some((parameter) => inner(parameter.type)) || inner(type.returns);
    default:
      return false;
  }
}
