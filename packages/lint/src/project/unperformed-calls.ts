// Calls whose value a statement discards, or only tests: of an operation, it is never performed.
import type { CallExpression, Expression, Node } from '../syntax/node.ts';

/** The calls of a node whose values are lost: nothing can perform what they return. */
export function unusedCalls(node: Node): CallExpression[] {
  switch (node.kind) {
    case 'expression':
      return discarded(node.expression);
    case 'if':
    case 'conditional':
      return tested(node.test);
    case 'loop':
      return [
        ...(node.test === undefined ? [] : tested(node.test)),
        ...(node.update === undefined ? [] : discarded(node.update)),
      ];
    case 'logical':
      // `a ?? b` hands on what `a` is.
      return node.operator === '&&' ? tested(node.left) : [];
    case 'unary':
      return node.operator === '!' ? tested(node.operand) : [];
    default:
      return [];
  }
}

/** An object is true: a test of an operation tests nothing. */
function tested(test: Expression): CallExpression[] {
  return test.kind === 'call' ? [test] : [];
}

/** The calls that are the value of an expression, which is not used. */
function discarded(value: Expression): CallExpression[] {
  switch (value.kind) {
    case 'call':
      return [value];
    case 'unary':
      return value.operator === 'void' ? discarded(value.operand) : [];
    case 'logical':
      return [...(value.operator === '&&' ? [] : discarded(value.left)), ...discarded(value.right)];
    case 'conditional':
      return [...discarded(value.then), ...discarded(value.otherwise)];
    default:
      return [];
  }
}
