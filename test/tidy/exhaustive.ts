// Which switches the compiler keeps exhaustive over a union: tables that are written as code.
import { ts, type TypeScript } from './syntax.ts';

/** Functions of other files that end an exhaustive switch: their parameter holds what is left. */
const ENDS: ReadonlySet<string> = new Set(['unreachable', 'neverPerformed']);

/**
 * Whether a switch is over the values of a union, and a new value is a compile error in it: its
 * `default:` passes the value on as a narrower type, or it has none and its function has to return.
 */
export function isTable(node: TypeScript.SwitchStatement, file: TypeScript.SourceFile): boolean {
  const { expression, caseBlock } = node;
  if (!ts.isIdentifier(expression) && !ts.isPropertyAccessExpression(expression)) return false;
  const { clauses } = caseBlock;
  if (!clauses.every((clause) => ts.isDefaultClause(clause) || isValue(clause.expression))) {
    return false;
  }
  const rest = clauses.find(ts.isDefaultClause);
  return rest === undefined ? mustReturn(node) : refusesRest(rest, expression, file);
}

/** A literal, or a member such as `OpKind.wait`. */
function isValue(label: TypeScript.Expression): boolean {
  if (ts.isPropertyAccessExpression(label)) return ts.isIdentifier(label.expression);
  return ts.isStringLiteral(label) || ts.isNumericLiteral(label);
}

/** TS2366: the last statement of a function that returns a value, with no end to run into. */
function mustReturn(node: TypeScript.SwitchStatement): boolean {
  const body = node.parent;
  if (!ts.isBlock(body) || body.statements.at(-1) !== node) return false;
  const { parent } = body;
  if (!ts.isFunctionLike(parent) || parent.type === undefined) return false;
  return !mayReturnNothing(parent.type);
}

function mayReturnNothing(type: TypeScript.TypeNode): boolean {
  if (ts.isUnionTypeNode(type)) return type.types.some(mayReturnNothing);
  const { VoidKeyword, UndefinedKeyword, AnyKeyword, UnknownKeyword } = ts.SyntaxKind;
  return [VoidKeyword, UndefinedKeyword, AnyKeyword, UnknownKeyword].includes(type.kind);
}

/** `default: return unreachable(kind)`, or another call whose parameter has a type with a name. */
function refusesRest(
  { statements }: TypeScript.DefaultClause,
  value: TypeScript.Expression,
  file: TypeScript.SourceFile,
): boolean {
  const [statement] = statements;
  if (statements.length !== 1) return false;
  if (!ts.isReturnStatement(statement!) && !ts.isExpressionStatement(statement!)) return false;
  const call = statement.expression;
  if (call === undefined || !ts.isCallExpression(call)) return false;
  // What is passed on is the value, or the object whose field it is.
  const parts = ts.isPropertyAccessExpression(value) ? [value, value.expression] : [value];
  const texts = new Set(parts.map((part) => part.getText(file)));
  const at = call.arguments.findIndex((argument) => texts.has(argument.getText(file)));
  if (at < 0) return false;
  const { expression } = call;
  const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  const name = called.getText(file);
  return ENDS.has(name) || takesUnion(file, name, at);
}

/** Whether the parameter at `at` of a function `name` of the file has a type with a name. */
function takesUnion(file: TypeScript.SourceFile, name: string, at: number): boolean {
  const search = (node: TypeScript.Node): boolean => {
    const isFunction = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
    if (isFunction && node.name?.getText(file) === name) return isNamed(node.parameters[at]?.type);
    return ts.forEachChild(node, search) ?? false;
  };
  return search(file);
}

function isNamed(type: TypeScript.TypeNode | undefined): boolean {
  if (type === undefined) return false;
  if (ts.isUnionTypeNode(type)) return type.types.every(isNamed);
  return ts.isTypeReferenceNode(type) || type.kind === ts.SyntaxKind.NeverKeyword;
}

/** A case of a switch, from its first statement to its last. */
export interface Row {
  readonly clause: TypeScript.CaseOrDefaultClause;
  readonly start: number;
  readonly end: number;
}

/** The cases of a switch: a block's braces and a last `break` or `return` are its form. */
export function rowsOf(node: TypeScript.SwitchStatement, file: TypeScript.SourceFile): Row[] {
  return node.caseBlock.clauses.map((clause) => {
    let statements: readonly TypeScript.Statement[] = clause.statements;
    const [first] = statements;
    if (statements.length === 1 && ts.isBlock(first!)) ({ statements } = first);
    const last = statements.at(-1);
    if (last !== undefined && isEnd(last)) statements = statements.slice(0, -1);
    const start = statements[0]?.getStart(file) ?? clause.end;
    return { clause, start, end: statements.at(-1)?.end ?? clause.end };
  });
}

function isEnd(statement: TypeScript.Statement): boolean {
  if (ts.isReturnStatement(statement)) return statement.expression === undefined;
  return ts.isBreakStatement(statement);
}
