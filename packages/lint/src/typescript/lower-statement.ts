// Lowers statements, and files as blocks of them.
import type {
  Block,
  Declarator,
  Expression,
  ImportBinding,
  SourceFile,
  Statement,
  Try,
  VariableStatement,
} from '../syntax/node.ts';
import { lowerClass, lowerFunction } from './lower-declaration.ts';
import { lowerExpression, lowerInitializer } from './lower-expression.ts';
import { lowerPattern } from './lower-pattern.ts';
import { lowerType } from './lower-type.ts';
import { Lowering, MAX_DEPTH } from './lowering.ts';
import {
  AWAIT_USING_FLAG,
  BLOCK_SCOPE_FLAGS,
  CONST_FLAG,
  LET_FLAG,
  USING_FLAG,
  type Dialect,
  type TsNode,
} from './tree.ts';

/** Lowers a whole file. */
export function lowerFile(path: string, text: string, root: TsNode, dialect: Dialect): SourceFile {
  const to = new Lowering(text, dialect);
  const body = lowerBlock(to, root);
  const { imports, functions, classes, typeAliases, declared, casts } = to;
  const isDeclarations = /\.d\.[cm]?ts$/.test(path);
  const parts = { path, text, isDeclarations, body, imports, functions, classes };
  const allowsUsing = (): boolean => dialect.allowsUsing(path);
  return Object.assign(to.file, parts, { typeAliases, declared, casts, allowsUsing });
}

export function lowerBlock(to: Lowering, node: TsNode): Block {
  const statements = lowerStatements(to, node.statements ?? []);
  return { kind: 'block', ...to.span(node), statements, declares: [] };
}

function lowerStatements(to: Lowering, nodes: readonly TsNode[]): Statement[] {
  if (to.depth > MAX_DEPTH) return [];
  to.depth++;
  const lowered = nodes.flatMap((statement) => lowerStatement(to, statement));
  to.depth--;
  return lowered;
}

function single(to: Lowering, node: TsNode | undefined): Statement {
  const [only, ...others] = node === undefined ? [] : lowerStatements(to, [node]);
  if (only !== undefined && others.length === 0) return only;
  const span = node === undefined ? { start: 0, end: 0 } : to.span(node);
  return { kind: 'block', ...span, statements: only ? [only, ...others] : [], declares: [] };
}

type Lower = (to: Lowering, node: TsNode) => Statement | Statement[];

/** How a statement of each kind is lowered; other kinds have no effect at run time. */
const LOWER: Readonly<Record<string, Lower>> = {
  Block: lowerBlock,
  ModuleBlock: lowerBlock,
  VariableStatement: (to, node) => lowerVariables(to, node.declarationList!),
  ExpressionStatement: expressionStatement,
  ExportAssignment: expressionStatement,
  IfStatement: lowerIf,
  WhileStatement: lowerLoop,
  DoStatement: lowerLoop,
  ForStatement: lowerLoop,
  ForOfStatement: lowerForEach,
  ForInStatement: lowerForEach,
  BreakStatement: (to, node) => ({ kind: 'break', ...to.span(node), label: node.label?.text }),
  ContinueStatement: (to, node) => ({
    kind: 'continue',
    ...to.span(node),
    label: node.label?.text,
  }),
  ReturnStatement: (to, node) => ({ kind: 'return', ...to.span(node), value: operand(to, node) }),
  ThrowStatement: (to, node) => ({ kind: 'throw', ...to.span(node), value: operand(to, node) }),
  TryStatement: lowerTry,
  SwitchStatement: lowerSwitch,
  LabeledStatement: (to, node) => ({
    kind: 'labeled',
    ...to.span(node),
    label: node.label!.text!,
    body: single(to, node.statement),
  }),
  FunctionDeclaration: (to, node) => ({
    kind: 'declaration',
    ...to.span(node),
    declaration: lowerFunction(to, node),
  }),
  ClassDeclaration: classDeclaration,
  InterfaceDeclaration: classDeclaration,
  TypeAliasDeclaration: lowerTypeAlias,
  ModuleDeclaration: (to, node) => (node.body?.statements ? lowerBlock(to, node.body) : []),
  ImportDeclaration: lowerImport,
  WithStatement: (to, node) => [expressionStatement(to, node), single(to, node.statement)],
};

function lowerStatement(to: Lowering, node: TsNode): Statement | Statement[] {
  return LOWER[to.kind(node)]?.(to, node) ?? [];
}

function operand(to: Lowering, { expression }: TsNode): Expression | undefined {
  return expression && lowerExpression(to, expression);
}

function expressionStatement(to: Lowering, node: TsNode): Statement {
  return {
    kind: 'expression',
    ...to.span(node),
    expression: lowerExpression(to, node.expression!),
  };
}

function lowerIf(to: Lowering, node: TsNode): Statement {
  const otherwise = node.elseStatement && single(to, node.elseStatement);
  const test = lowerExpression(to, node.expression!);
  return { kind: 'if', ...to.span(node), test, then: single(to, node.thenStatement), otherwise };
}

function classDeclaration(to: Lowering, node: TsNode): Statement {
  return { kind: 'declaration', ...to.span(node), declaration: lowerClass(to, node) };
}

function lowerTypeAlias(to: Lowering, node: TsNode): Statement[] {
  const type = lowerType(to, node.type);
  if (type && node.name?.text) to.typeAliases.set(node.name.text, { type, doc: to.doc(node) });
  if (to.is(node.type, 'TypeLiteral')) lowerClass(to, node);
  return [];
}

function lowerVariables(to: Lowering, list: TsNode): VariableStatement {
  const flags = list.flags & BLOCK_SCOPE_FLAGS;
  const forms = { [USING_FLAG]: 'using', [AWAIT_USING_FLAG]: 'await using' } as const;
  const plain = { [CONST_FLAG]: 'const', [LET_FLAG]: 'let' } as const;
  const form = { ...forms, ...plain }[flags as typeof USING_FLAG] ?? 'var';
  const declarations = (list.declarations ?? []).map((declaration): Declarator => ({
    ...to.span(declaration),
    target: lowerPattern(to, declaration.name!),
    initializer:
      declaration.initializer && lowerInitializer(to, declaration, declaration.initializer),
    type: lowerType(to, declaration.type),
  }));
  return { kind: 'variables', ...to.span(list), form, declarations };
}

function lowerInit(to: Lowering, node: TsNode | undefined): Statement | undefined {
  if (node === undefined) return undefined;
  if (to.is(node, 'VariableDeclarationList')) return lowerVariables(to, node);
  return { kind: 'expression', ...to.span(node), expression: lowerExpression(to, node) };
}

function lowerLoop(to: Lowering, node: TsNode): Statement {
  const isFor = to.is(node, 'ForStatement');
  const test = isFor ? node.condition : node.expression;
  return {
    kind: 'loop',
    ...to.span(node),
    form: isFor ? 'for' : to.is(node, 'DoStatement') ? 'do' : 'while',
    init: isFor ? lowerInit(to, node.initializer) : undefined,
    test: test && lowerExpression(to, test),
    update: node.incrementor && lowerExpression(to, node.incrementor),
    body: single(to, node.statement),
    declares: [],
  };
}

function lowerForEach(to: Lowering, node: TsNode): Statement {
  const list = node.initializer!;
  const isDeclaration = to.is(list, 'VariableDeclarationList');
  return {
    kind: 'forEach',
    ...to.span(node),
    form: to.is(node, 'ForOfStatement') ? 'of' : 'in',
    isAwait: node.awaitModifier !== undefined,
    binding: isDeclaration ? lowerVariables(to, list) : lowerPattern(to, list),
    subject: lowerExpression(to, node.expression!),
    body: single(to, node.statement),
    declares: [],
  };
}

function lowerTry(to: Lowering, node: TsNode): Try {
  const handler = node.catchClause;
  return {
    kind: 'try',
    ...to.span(node),
    block: lowerBlock(to, node.tryBlock!),
    parameter: handler?.variableDeclaration && lowerPattern(to, handler.variableDeclaration.name!),
    handler: handler && lowerBlock(to, handler.block!),
    finalizer: node.finallyBlock && lowerBlock(to, node.finallyBlock),
  };
}

function lowerSwitch(to: Lowering, node: TsNode): Statement {
  const cases = (node.caseBlock?.clauses ?? []).map((clause) => ({
    test: clause.expression && lowerExpression(to, clause.expression),
    body: lowerStatements(to, clause.statements ?? []),
  }));
  const subject = lowerExpression(to, node.expression!);
  return { kind: 'switch', ...to.span(node), subject, cases, origin: node, declares: [] };
}

function lowerImport(to: Lowering, node: TsNode): Statement[] {
  const module = node.moduleSpecifier?.text;
  const clause = node.importClause;
  if (module === undefined || clause === undefined) return [];
  const add = (local: TsNode, imported: string): void => {
    const binding: ImportBinding = { local: to.name(local), imported, module };
    to.imports.push(binding);
  };
  if (clause.name) add(clause.name, 'default');
  const bindings = clause.namedBindings;
  if (bindings?.name) add(bindings.name, '*');
  for (const element of bindings?.elements ?? []) {
    if (element.name) add(element.name, element.propertyName?.text ?? element.name.text ?? '');
  }
  return [];
}
