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

type Lower = (to: Lowering, node: TsNode, depth: number) => TypeNode;

/** How a type of each kind is lowered; `depth` is that of its parts. */
const LOWER: Readonly<Record<string, Lower>> = {
  TypeReference: (to, node, depth) =>
    named(node.typeName, lowerList(to, node.typeArguments, depth)),
  ExpressionWithTypeArguments: (to, node, depth) =>
    named(node.expression, lowerList(to, node.typeArguments, depth)),
  ArrayType: (to, node, depth) => ({
    kind: 'array',
    element: lowerPart(to, node.elementType, depth),
  }),
  TupleType: (to, node, depth) => ({
    kind: 'tuple',
    elements: lowerList(to, node.elements, depth),
  }),
  NamedTupleMember: innerType,
  OptionalType: innerType,
  RestType: innerType,
  ParenthesizedType: innerType,
  TypeOperator: innerType,
  UnionType: (to, node, depth) => ({ kind: 'union', members: lowerList(to, node.types, depth) }),
  IntersectionType: (to, node, depth) =>
    lowerList(to, node.types, depth).find(({ kind }) => kind === 'named') ?? OTHER_TYPE,
  TypeLiteral: (to, node, depth) => ({
    kind: 'object',
    members: (node.members ?? []).flatMap((part) => member(to, part, depth)),
  }),
  FunctionType: functionType,
  TypePredicate: (_, node) => ({
    kind: 'predicate',
    parameter: node.parameterName?.text ?? 'this',
    asserts: node.assertsModifier !== undefined,
  }),
  ThisType: () => ({ kind: 'keyword', name: 'this' }),
  LiteralType: (to, node) => literal(to, node.literal),
};

function lower(to: Lowering, node: TsNode, depth: number): TypeNode {
  if (depth > MAX_TYPE_DEPTH) return OTHER_TYPE;
  const kind = to.kind(node);
  const keyword = KEYWORD.exec(kind)?.[1];
  if (keyword !== undefined) return { kind: 'keyword', name: keyword.toLowerCase() };
  return LOWER[kind]?.(to, node, depth + 1) ?? OTHER_TYPE;
}

function lowerPart(to: Lowering, node: TsNode | undefined, depth: number): TypeNode {
  return node === undefined ? OTHER_TYPE : lower(to, node, depth);
}

function lowerList(to: Lowering, nodes: readonly TsNode[] = [], depth: number): TypeNode[] {
  return nodes.map((node) => lower(to, node, depth));
}

function innerType(to: Lowering, node: TsNode, depth: number): TypeNode {
  return lowerPart(to, node.type, depth);
}

function named(node: TsNode | undefined, args: readonly TypeNode[]): TypeNode {
  let last = node;
  // `tf.Tensor`: what matters is the last name.
  while (last !== undefined && last.text === undefined) last = last.right ?? last.name;
  const name = last?.text;
  if (name === undefined) return OTHER_TYPE;
  let first = node;
  while (first !== undefined && first.text === undefined) first = first.left ?? first.expression;
  const space = first === last ? undefined : first?.text;
  const [element = OTHER_TYPE] = args;
  if (name === 'Array' || name === 'ReadonlyArray') return { kind: 'array', element };
  return { kind: 'named', name, ...(space !== undefined && { space }), args };
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
  return [
    {
      name,
      optional: node.questionToken !== undefined || to.is(node.postfixToken, 'QuestionToken'),
      type: isMethod ? functionType(to, node, depth) : innerType(to, node, depth),
    },
  ];
}

function functionType(to: Lowering, node: TsNode, depth: number): TypeNode {
  const parameters = (node.parameters ?? []).map((parameter) => ({
    name: parameter.name?.text ?? '',
    type: innerType(to, parameter, depth),
    doc: to.doc(parameter),
  }));
  return { kind: 'function', parameters, returns: innerType(to, node, depth) };
}
