// Lowers reads of properties: a part of an object, an element of a list, or a view.
import type { Place } from '../calculus/core.ts';
import type { MemberExpression } from '../syntax/node.ts';
import type { Lower } from './lower.ts';
import { isOptional, outsideOf } from './values.ts';

/** The place of `object.name` or `object[index]`. */
export function lowerMember(to: Lower, node: MemberExpression): Place | undefined {
  const field = to.self?.fieldOf(node);
  if (field !== undefined) return to.kindOf(node) === 'primitive' ? undefined : field;
  const y = to.value(node.object);
  if (node.index !== undefined) to.value(node.index);
  if (y === undefined) return undefined;
  if (to.kindOf(node) === 'primitive') {
    to.emit({ k: 'read', y }, node);
    return undefined;
  }
  const x = to.temporary();
  const isOwner = to.kindOf(node.object) === 'handle';
  const outside = isOwner ? 'nothing' : outsideOf(to, node);
  if (node.name === undefined) to.emit({ k: 'element', x, y }, node);
  else to.emit({ k: 'part', x, y, name: node.name, outside, nullable: isOptional(to, node) }, node);
  return x;
}
