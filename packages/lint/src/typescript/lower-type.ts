// Lowers type annotations to the parts that matter for ownership.
import { OTHER_TYPE, type TypeMember, type TypeNode } from '../syntax/type-node.ts';
import type { Lowering } from './lowering.ts';
import type { TsNode } from './tree.ts';

const KEYWORD =
  /^(Any|Unknown|Never|String|Number|Boolean|BigInt|Symbol|Void|Undefined|Object)Keyword$/;

export function lowerType(to: Lowering, node: TsNode | undefined): TypeNode | undefined {
  return node === undefined ? undefined : lower(to, node, 0);
}

const MAX_TYPE_DEPTH = 12;

function lower(to: Lowering, node: TsNode, depth: number): TypeNode {
  if (depth > MAX_TYPE_DEPTH) return OTHER_TYPE;
  const inner = (each: TsNode | undefined) =>
    each === undefined ? OTHER_TYPE : lower(to, each, depth + 1);
  const kind = to.kind(node);
  const keyword = KEYWORD.exec(kind)?.[1];
  if (keyword !== undefined) return { kind: 'keyword', name: keyword.toLowerCase() };
  switch (kind) {
    case 'TypeReference':
      return named(node.typeName, (node.typeArguments ?? []).map(inner));
    case 'ExpressionWithTypeArguments':
      return named(node.expression, (node.typeArguments ?? []).map(inner));
    case 'ArrayType':
      return { kind: 'array', element: inner(node.elementType) };
    case 'TupleType':
      return { kind: 'tuple', elements: (node.elements ?? []).map(inner) };
    case 'NamedTupleMember':
    case 'OptionalType':
    case 'RestType':
    case 'ParenthesizedType':
    case 'TypeOperator':
      return inner(node.type);
    case 'UnionType':
      return { kind: 'union', members: (node.types ?? []).map(inner) };
    case 'IntersectionType':
      return (node.types ?? []).map(inner).find((each) => each.kind === 'named') ?? OTHER_TYPE;
    case 'TypeLiteral':
      return { kind: 'object', members: (node.members ?? []).flatMap((m) => member(to, m, depth)) };
    case 'FunctionType':
      return functionType(to, node, depth);
    case 'TypePredicate':
      return {
        kind: 'predicate',
        parameter: node.parameterName?.text ?? 'this',
        asserts: node.assertsModifier !== undefined,
      };
    case 'ThisType':
      return { kind: 'keyword', name: 'this' };
    case 'LiteralType':
      return literal(to, node.literal);
    default:
      return OTHER_TYPE;
  }
}

function named(node: TsNode | undefined, args: readonly TypeNode[]): TypeNode {
  let last = node;
  // `tf.Tensor`: what matters is the last name.
  while (last !== undefined && last.text === undefined) last = last.right ?? last.name;
  const name = last?.text;
  if (name === undefined) return OTHER_TYPE;
  const [element = OTHER_TYPE] = args;
  if (name === 'Array' || name === 'ReadonlyArray') return { kind: 'array', element };
  return { kind: 'named', name, args };
}

function literal(to: Lowering, node: TsNode | undefined): TypeNode {
  if (node === undefined) return OTHER_TYPE;
  switch (to.kind(node)) {
    case 'NullKeyword':
      return { kind: 'keyword', name: 'null' };
    case 'TrueKeyword':
      return { kind: 'keyword', name: 'true' };
    case 'FalseKeyword':
      return { kind: 'keyword', name: 'false' };
    case 'StringLiteral':
      return { kind: 'keyword', name: `'${node.text}'` };
    case 'NumericLiteral':
      return { kind: 'keyword', name: `${Number(node.text)}` };
    default:
      return OTHER_TYPE;
  }
}

function member(to: Lowering, node: TsNode, depth: number): TypeMember[] {
  const name = to.propertyName(node.name);
  if (name === undefined) return [];
  const isMethod = to.is(node, 'MethodSignature');
  const type = isMethod
    ? functionType(to, node, depth)
    : node.type === undefined
      ? OTHER_TYPE
      : lower(to, node.type, depth + 1);
  return [
    {
      name,
      optional: node.questionToken !== undefined || to.is(node.postfixToken, 'QuestionToken'),
      type,
    },
  ];
}

function functionType(to: Lowering, node: TsNode, depth: number): TypeNode {
  const parameters = (node.parameters ?? []).map((each) => ({
    name: each.name?.text ?? '',
    type: each.type === undefined ? OTHER_TYPE : lower(to, each.type, depth + 1),
    doc: to.doc(each),
  }));
  const returns = node.type === undefined ? OTHER_TYPE : lower(to, node.type, depth + 1);
  return { kind: 'function', parameters, returns };
}
