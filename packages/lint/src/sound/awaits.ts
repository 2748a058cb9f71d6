// Lowers `await`: of a call at once, of all promises of a list, or of a promise that is held.
import type { Place } from '../calculus/core.ts';
import type { Expression } from '../syntax/node.ts';
import { lowerCall } from './calls.ts';
import type { Lower } from './lower.ts';
import { mayBeNothing } from './types.ts';

/** The value of `await operand`. */
export function lowerAwait(
  to: Lower,
  node: Extract<Expression, { kind: 'await' }>,
): Place | undefined {
  const { operand } = node;
  const isPrimitive = to.kindOf(node) === 'primitive';
  if (operand.kind === 'call') {
    const all = to.project.allOf(operand, to.file);
    if (all !== undefined) return awaitAll(to, node, all, isPrimitive);
    if (to.project.isFollowed(operand, to.file)) {
      const x = lowerCall(to, operand, true);
      return isPrimitive ? undefined : x;
    }
  }
  const y = to.value(operand);
  const x = to.temporary();
  const nullable = mayBeNothing(to.project.types.of(operand));
  const optional = to.kindOf(node) === 'handle' && mayBeNothing(to.project.types.of(node));
  to.emit(
    { k: 'await', x, y, throws: mayReject(to, operand), isView: !isPrimitive, nullable, optional },
    node,
  );
  return isPrimitive ? undefined : x;
}

/** A promise of a function that says `@nothrow` does not reject. */
function mayReject(to: Lower, operand: Expression): boolean {
  return operand.kind !== 'call' || to.project.mayThrow(operand, to.file);
}

function awaitAll(
  to: Lower,
  node: Expression,
  list: Expression,
  isPrimitive: boolean,
): Place | undefined {
  const y = to.value(list);
  const x = to.temporary();
  to.emit({ k: 'awaitAll', x, y: y ?? x, isView: !isPrimitive }, node);
  return x;
}
