// Lowers assignment targets: names, members, and destructuring patterns of both forms.
import type { ArrayPattern, Expression, ObjectPattern, Pattern } from '../syntax/node.ts';
import { lowerExpression } from './lower-expression.ts';
import type { Lowering } from './lowering.ts';
import type { TsNode } from './tree.ts';

export function lowerPattern(to: Lowering, node: TsNode): Pattern {
  switch (to.kind(node)) {
    case 'ObjectBindingPattern':
      return objectBinding(to, node);
    case 'ArrayBindingPattern':
      return arrayBinding(to, node);
    case 'ObjectLiteralExpression':
      return objectAssignment(to, node);
    case 'ArrayLiteralExpression':
      return arrayAssignment(to, node);
    case 'ParenthesizedExpression':
      return lowerPattern(to, node.expression!);
    default:
      return lowerExpression(to, node);
  }
}

function optional(to: Lowering, node: TsNode | undefined): Expression | undefined {
  return node && lowerExpression(to, node);
}

function objectBinding(to: Lowering, node: TsNode): ObjectPattern {
  const properties = (node.elements ?? []).map((element) => {
    const keyNode = element.propertyName ?? element.name;
    const key = to.propertyName(keyNode);
    const computed = key === undefined && keyNode?.expression ? keyNode.expression : undefined;
    return {
      key,
      computed: optional(to, computed),
      rest: element.dotDotDotToken !== undefined,
      target: lowerPattern(to, element.name!),
      initializer: optional(to, element.initializer),
    };
  });
  return { kind: 'objectPattern', ...to.span(node), properties };
}

function arrayBinding(to: Lowering, node: TsNode): ArrayPattern {
  const elements = (node.elements ?? []).map((element) =>
    element.name === undefined
      ? undefined
      : {
          target: lowerPattern(to, element.name),
          initializer: optional(to, element.initializer),
          rest: element.dotDotDotToken !== undefined,
        },
  );
  return { kind: 'arrayPattern', ...to.span(node), elements };
}

/** `x = 1` inside a pattern is a target with an initializer. */
function withInitializer(to: Lowering, node: TsNode): [Pattern, Expression | undefined] {
  if (to.is(node, 'BinaryExpression') && to.is(node.operatorToken, 'EqualsToken')) {
    return [lowerPattern(to, node.left!), lowerExpression(to, node.right!)];
  }
  return [lowerPattern(to, node), undefined];
}

function objectAssignment(to: Lowering, node: TsNode): ObjectPattern {
  const properties = (node.properties ?? []).map((property) => {
    const rest = to.is(property, 'SpreadAssignment');
    const value = property.initializer ?? property.expression ?? property.name!;
    const [target, initializer] = withInitializer(to, value);
    const key = to.propertyName(property.name);
    return {
      key,
      computed: undefined,
      rest,
      target,
      initializer: initializer ?? optional(to, property.objectAssignmentInitializer),
    };
  });
  return { kind: 'objectPattern', ...to.span(node), properties };
}

function arrayAssignment(to: Lowering, node: TsNode): ArrayPattern {
  const elements = (node.elements ?? []).map((element) => {
    if (to.is(element, 'OmittedExpression')) return undefined;
    const rest = to.is(element, 'SpreadElement');
    const [target, initializer] = withInitializer(to, rest ? element.expression! : element);
    return { target, initializer, rest };
  });
  return { kind: 'arrayPattern', ...to.span(node), elements };
}
