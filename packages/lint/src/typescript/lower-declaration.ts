// Lowers functions, classes, interfaces and their members.
import type {
  Block,
  ClassNode,
  Expression,
  Field,
  FunctionNode,
  Parameter,
} from '../syntax/node.ts';
import type { Statement } from '../syntax/node.ts';
import { lowerExpression, lowerInitializer } from './lower-expression.ts';
import { lowerPattern } from './lower-pattern.ts';
import { lowerBlock } from './lower-statement.ts';
import { lowerType } from './lower-type.ts';
import type { Lowering } from './lowering.ts';
import type { TsNode } from './tree.ts';
import { tagsAfter, tokenStart } from './trivia.ts';

const FORMS: Readonly<Record<string, FunctionNode['form']>> = {
  ArrowFunction: 'arrow',
  Constructor: 'constructor',
  ConstructSignature: 'constructor',
  GetAccessor: 'getter',
  SetAccessor: 'setter',
  MethodDeclaration: 'method',
  MethodSignature: 'signature',
  PropertySignature: 'signature',
  CallSignature: 'signature',
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function lowerFunction(to: Lowering, node: TsNode): FunctionNode {
  const start = tokenStart(to.text, node.pos);
  const lowered: Mutable<FunctionNode> = {
    kind: 'function',
    ...to.span(node),
    form: FORMS[to.kind(node)] ?? 'function',
    name: to.propertyName(node.name),
    nameStart: node.name ? tokenStart(to.text, node.name.pos) : start,
    parameters: [],
    body: undefined,
    isAsync: to.modifier(node, 'AsyncKeyword'),
    isGenerator: node.asteriskToken !== undefined,
    isStatic: to.modifier(node, 'StaticKeyword'),
    typeParameters: (node.typeParameters ?? []).flatMap(({ name }) => name?.text ?? []),
    returns: lowerType(to, node.type),
    doc: to.doc(node) + (node.body === undefined ? tagsAfter(to.text, node.end) : ''),
    file: to.file,
    owner: undefined,
    outer: undefined,
    self: undefined,
    origin: node,
  };
  to.functions.push(lowered);
  to.declare(node, lowered);
  lowered.parameters = (node.parameters ?? []).map((parameter) => lowerParameter(to, parameter));
  if (node.body !== undefined) lowered.body = lowerBody(to, node.body);
  return lowered;
}

function lowerBody(to: Lowering, body: TsNode): Block | Expression {
  return to.is(body, 'Block') ? lowerBlock(to, body) : lowerExpression(to, body);
}

function lowerParameter(to: Lowering, node: TsNode): Parameter {
  const access = ['PublicKeyword', 'PrivateKeyword', 'ProtectedKeyword', 'ReadonlyKeyword'];
  return {
    ...to.span(node),
    target: lowerPattern(to, node.name!),
    initializer: node.initializer && lowerExpression(to, node.initializer),
    rest: node.dotDotDotToken !== undefined,
    optional: node.questionToken !== undefined,
    type: lowerType(to, node.type),
    doc: to.doc(node),
    isField: access.some((modifier) => to.modifier(node, modifier)),
  };
}

/** Whether a property has a function type and can be called like a method. */
function isFunctionProperty(to: Lowering, node: TsNode): boolean {
  return to.is(node, 'PropertySignature') && to.is(node.type, 'FunctionType');
}

const METHODS = new Set([
  'MethodDeclaration',
  'MethodSignature',
  'Constructor',
  'ConstructSignature',
  'GetAccessor',
  'SetAccessor',
]);

export function lowerClass(to: Lowering, node: TsNode): ClassNode {
  const start = tokenStart(to.text, node.pos);
  const isInterface = !to.kind(node).startsWith('Class');
  const lowered: Mutable<ClassNode> = {
    kind: 'class',
    ...to.span(node),
    isInterface,
    name: node.name?.text,
    nameStart: node.name ? tokenStart(to.text, node.name.pos) : start,
    heritage: [],
    implemented: [],
    methods: [],
    fields: [],
    statics: [],
    doc: to.doc(node),
    file: to.file,
    self: undefined,
    origin: node,
  };
  to.classes.push(lowered);
  to.declare(node, lowered);
  heritage(to, node, lowered);
  const methods: FunctionNode[] = [];
  const fields: Field[] = [];
  const statics: Statement[] = [];
  for (const member of node.members ?? node.type?.members ?? []) {
    if (METHODS.has(to.kind(member))) methods.push(lowerFunction(to, member));
    else if (isFunctionProperty(to, member)) methods.push(functionProperty(to, member));
    else if (to.is(member, 'ClassStaticBlockDeclaration'))
      statics.push(lowerBlock(to, member.body!));
    else if (to.kind(member).startsWith('Property')) fields.push(lowerField(to, member));
  }
  // The lists of members must be complete before a body is analyzed, not before it is lowered.
  Object.assign(lowered, { methods, fields, statics });
  return lowered;
}

function functionProperty(to: Lowering, node: TsNode): FunctionNode {
  const method = lowerFunction(to, node.type!);
  const named = {
    form: 'signature' as const,
    name: to.propertyName(node.name),
    doc: to.doc(node) + tagsAfter(to.text, node.end),
  };
  Object.assign(method, named);
  to.declare(node, method);
  return method;
}

function heritage(to: Lowering, node: TsNode, lowered: Mutable<ClassNode>): void {
  for (const clause of node.heritageClauses ?? []) {
    const isExtends = to.dialect.nameOf[clause.token ?? 0] === 'ExtendsKeyword';
    for (const { expression } of clause.types ?? []) {
      if (expression === undefined) continue;
      if (isExtends) lowered.heritage = [...lowered.heritage, lowerExpression(to, expression)];
      else if (expression.text) lowered.implemented = [...lowered.implemented, expression.text];
    }
  }
}

function lowerField(to: Lowering, node: TsNode): Field {
  const name = to.propertyName(node.name);
  return {
    ...to.span(node),
    name,
    isStatic: to.modifier(node, 'StaticKeyword'),
    isPrivate: to.modifier(node, 'PrivateKeyword') || name?.startsWith('#') === true,
    optional: node.questionToken !== undefined || to.is(node.postfixToken, 'QuestionToken'),
    initializer: node.initializer && lowerInitializer(to, node, node.initializer),
    type: lowerType(to, node.type),
    doc: to.doc(node) + tagsAfter(to.text, node.end),
  };
}
