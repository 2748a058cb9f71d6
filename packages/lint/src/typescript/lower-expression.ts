// Lowers expressions. Casts, parentheses and `!` are dropped: the value is the same.
import type {
  CallExpression,
  Expression,
  MemberExpression,
  Property,
  Unary,
} from '../syntax/node.ts';
import { lowerClass, lowerFunction } from './lower-declaration.ts';
import { lowerPattern } from './lower-pattern.ts';
import { MAX_DEPTH, type Lowering } from './lowering.ts';
import type { TsNode } from './tree.ts';

export function lowerExpression(to: Lowering, node: TsNode): Expression {
  if (to.depth > MAX_DEPTH) return to.parts(node, []);
  to.depth++;
  const lowered = lower(to, node);
  to.depth--;
  return lowered;
}

type Lower = (to: Lowering, node: TsNode) => Expression;

/** How an expression of each kind is lowered; other kinds are literals or opaque. */
const LOWER: Readonly<Record<string, Lower>> = {
  Identifier: (to, node) => (node.text === 'undefined' ? undefinedAt(to, node) : to.name(node)),
  AsExpression: lowerCast,
  TypeAssertionExpression: lowerCast,
  SatisfiesExpression: (to, node) => checkedAs(to, operand(to, node), node.type),
  ParenthesizedExpression: operand,
  NonNullExpression: operand,
  ExpressionWithTypeArguments: operand,
  PartiallyEmittedExpression: operand,
  PropertyAccessExpression: lowerMember,
  ElementAccessExpression: lowerMember,
  CallExpression: (to, node) => lowerCall(to, node, node.expression, node.arguments ?? []),
  NewExpression: (to, node) => lowerCall(to, node, node.expression, node.arguments ?? []),
  TaggedTemplateExpression: (to, node) => lowerCall(to, node, node.tag, spans(node.template)),
  FunctionExpression: lowerFunction,
  ArrowFunction: lowerFunction,
  ClassExpression: (to, node) => lowerClass(to, node),
  ObjectLiteralExpression: (to, node) => ({
    kind: 'object',
    ...to.span(node),
    properties: (node.properties ?? []).map((member) => property(to, member)),
  }),
  ArrayLiteralExpression: (to, node) => ({
    kind: 'array',
    ...to.span(node),
    elements: (node.elements ?? []).map((element) =>
      to.is(element, 'OmittedExpression') ? undefined : lowerExpression(to, element),
    ),
  }),
  SpreadElement: (to, node) => ({ kind: 'spread', ...to.span(node), operand: operand(to, node) }),
  AwaitExpression: (to, node) => ({ kind: 'await', ...to.span(node), operand: operand(to, node) }),
  YieldExpression: (to, node) => ({
    kind: 'yield',
    ...to.span(node),
    delegate: node.asteriskToken !== undefined,
    operand: node.expression && lowerExpression(to, node.expression),
  }),
  ConditionalExpression: (to, node) => ({
    kind: 'conditional',
    ...to.span(node),
    test: lowerPart(to, node, node.condition),
    then: lowerPart(to, node, node.whenTrue),
    otherwise: lowerPart(to, node, node.whenFalse),
  }),
  BinaryExpression: lowerBinary,
  DeleteExpression: keywordOperator('delete'),
  VoidExpression: keywordOperator('void'),
  TypeOfExpression: keywordOperator('typeof'),
  PrefixUnaryExpression: (to, node) => unary(to, node, lowerPart(to, node, node.operand)),
  PostfixUnaryExpression: (to, node) => unary(to, node, lowerPart(to, node, node.operand)),
  ThisKeyword: (to, node) => ({ kind: 'this', ...to.span(node) }),
  SuperKeyword: (to, node) => ({ kind: 'super', ...to.span(node) }),
};

function lower(to: Lowering, node: TsNode): Expression {
  const lowerKind = LOWER[to.kind(node)];
  return lowerKind === undefined
    ? (lowerLiteral(to, node) ?? opaque(to, node))
    : lowerKind(to, node);
}

function undefinedAt(to: Lowering, node: TsNode): Expression {
  return { kind: 'literal', ...to.span(node), value: undefined };
}

/** A part of a node; incomplete code may lack it. */
function lowerPart(to: Lowering, node: TsNode, part: TsNode | undefined): Expression {
  return part === undefined ? undefinedAt(to, node) : lowerExpression(to, part);
}

function operand(to: Lowering, node: TsNode): Expression {
  return lowerPart(to, node, node.expression);
}

function keywordOperator(operator: 'delete' | 'void' | 'typeof'): Lower {
  return (to, node) => ({
    kind: 'unary',
    ...to.span(node),
    operator,
    operand: operand(to, node),
  });
}

function lowerCast(to: Lowering, node: TsNode): Expression {
  const value = castTo(to, operand(to, node), node.type);
  to.casts.set(value, node);
  return value;
}

/** A cast may be the only type information: `(this.connection as mysql.Pool).getConnection()`. */
function castTo(to: Lowering, value: Expression, type: TsNode | undefined): Expression {
  if (value.kind !== 'name' && value.kind !== 'member') return value;
  if (to.is(type, 'NeverKeyword')) return { ...value, cast: 'never' };
  const { left, right } = type?.typeName ?? {};
  if (left?.text === undefined || right?.text === undefined) return value;
  return { ...value, cast: `${left.text}.${right.text}` };
}

/** `kind satisfies never`, `const rest: never = kind`: code that is not reached. */
function checkedAs(to: Lowering, value: Expression, type: TsNode | undefined): Expression {
  const isCast = (value.kind === 'name' || value.kind === 'member') && value.cast === 'never';
  if (!to.is(type, 'NeverKeyword') || isCast) return value;
  const { start, end } = value;
  return { kind: 'unary', start, end, operator: 'impossible', operand: value };
}

function lowerLiteral(to: Lowering, node: TsNode): Expression | undefined {
  const literal = (value: string | number | boolean | null): Expression => ({
    kind: 'literal',
    ...to.span(node),
    value,
  });
  switch (to.kind(node)) {
    case 'StringLiteral':
    case 'NoSubstitutionTemplateLiteral':
      return literal(node.text ?? '');
    case 'NumericLiteral':
      return literal(Number(node.text));
    case 'TrueKeyword':
      return literal(true);
    case 'FalseKeyword':
      return literal(false);
    case 'NullKeyword':
      return literal(null);
    default:
      return undefined;
  }
}

const SKIPPED = /(Type|Keyword|Token|Operator|Modifier)$/;

/** An opaque node evaluates its parts in order: templates, JSX, `import(…)`. */
function opaque(to: Lowering, node: TsNode): Expression {
  const parts: Expression[] = [];
  node.forEachChild((child) => {
    const kind = to.kind(child);
    if (!SKIPPED.test(kind) && !/^Jsx(Text|NamespacedName)/.test(kind)) {
      parts.push(lowerExpression(to, child));
    }
    return undefined;
  });
  return to.parts(node, parts);
}

function spans(template: TsNode | undefined): TsNode[] {
  return (template?.templateSpans ?? []).flatMap(({ expression }) => expression ?? []);
}

function lowerMember(to: Lowering, node: TsNode): MemberExpression {
  const index = node.argumentExpression;
  const name = index === undefined ? node.name?.text : to.literalKey(index);
  return {
    kind: 'member',
    ...to.span(node),
    object: lowerExpression(to, node.expression!),
    name,
    index: name === undefined && index !== undefined ? lowerExpression(to, index) : undefined,
    optional: node.questionDotToken !== undefined,
    origin: index ?? node.name ?? node,
    whole: node,
  };
}

function lowerCall(
  to: Lowering,
  node: TsNode,
  callee: TsNode | undefined,
  args: readonly TsNode[],
): Expression {
  if (callee === undefined || to.is(callee, 'ImportKeyword')) {
    return to.parts(
      node,
      args.map((argument) => lowerExpression(to, argument)),
    );
  }
  const call: CallExpression = {
    kind: 'call',
    bound: undefined,
    isAwaited: false,
    ...to.span(node),
    callee: lowerExpression(to, callee),
    args: args.map((argument) => lowerExpression(to, argument)),
    isNew: to.is(node, 'NewExpression'),
    optional: node.questionDotToken !== undefined,
    origin: node,
  };
  return call;
}

function property(to: Lowering, node: TsNode): Property {
  const span = to.span(node);
  const key = to.propertyName(node.name);
  const computed =
    key === undefined && to.is(node.name, 'ComputedPropertyName')
      ? lowerExpression(to, node.name!.expression!)
      : undefined;
  const make = (form: Property['form'], value: Expression): Property => ({
    ...span,
    form,
    key,
    computed,
    value,
  });
  switch (to.kind(node)) {
    case 'SpreadAssignment':
      return make('spread', lowerExpression(to, node.expression!));
    case 'ShorthandPropertyAssignment':
      return make('value', lowerExpression(to, node.name!));
    case 'PropertyAssignment':
      return make('value', lowerInitializer(to, node, node.initializer!));
    case 'GetAccessor':
      return make('get', lowerFunction(to, node));
    case 'SetAccessor':
      return make('set', lowerFunction(to, node));
    default:
      return make('value', lowerFunction(to, node));
  }
}

/** The initializer of a declaration; functions and classes are registered for its symbol. */
export function lowerInitializer(to: Lowering, declaration: TsNode, value: TsNode): Expression {
  const lowered = lowerExpression(to, value);
  if (lowered.kind === 'function' || lowered.kind === 'class') to.declare(declaration, lowered);
  return checkedAs(to, lowered, declaration.type);
}

function unary(to: Lowering, node: TsNode, operand: Expression): Unary {
  const operator = to.dialect.nameOf[node.operator ?? 0];
  const span = to.span(node);
  if (operator === 'ExclamationToken') return { kind: 'unary', ...span, operator: '!', operand };
  const updates = operator === 'PlusPlusToken' || operator === 'MinusMinusToken';
  return { kind: 'unary', ...span, operator: updates ? 'update' : 'other', operand };
}

const LOGICAL = new Map([
  ['AmpersandAmpersandToken', '&&'],
  ['BarBarToken', '||'],
  ['QuestionQuestionToken', '??'],
] as const);

const SPELLINGS = new Map([
  ['EqualsEqualsEqualsToken', '==='],
  ['ExclamationEqualsEqualsToken', '!=='],
  ['EqualsEqualsToken', '=='],
  ['ExclamationEqualsToken', '!='],
  ['InstanceOfKeyword', 'instanceof'],
  ['InKeyword', 'in'],
  ['PlusToken', '+'],
  ['LessThanToken', '<'],
  ['GreaterThanToken', '>'],
  ['LessThanEqualsToken', '<='],
  ['GreaterThanEqualsToken', '>='],
]);

function lowerBinary(to: Lowering, node: TsNode): Expression {
  const span = to.span(node);
  const operator = to.kind(node.operatorToken!);
  const { left, right } = node as Required<Pick<TsNode, 'left' | 'right'>>;
  const logical = LOGICAL.get(operator as 'BarBarToken');
  if (logical !== undefined) {
    const sides = { left: lowerExpression(to, left), right: lowerExpression(to, right) };
    return { kind: 'logical', ...span, operator: logical, ...sides };
  }
  if (operator === 'CommaToken') {
    return to.parts(node, [lowerExpression(to, left), lowerExpression(to, right)], true);
  }
  if (operator.endsWith('EqualsToken') && !SPELLINGS.has(operator)) {
    const logicalAssign = LOGICAL.get(operator.replace('EqualsToken', 'Token') as 'BarBarToken');
    return {
      kind: 'assign',
      ...span,
      operator: logicalAssign ?? (operator === 'EqualsToken' ? '=' : 'compound'),
      target: lowerPattern(to, left),
      value: lowerExpression(to, right),
    };
  }
  return {
    kind: 'binary',
    ...span,
    operator: SPELLINGS.get(operator) ?? operator,
    left: lowerExpression(to, left),
    right: lowerExpression(to, right),
  };
}
