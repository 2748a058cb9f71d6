// How long and how branched functions are: an exhaustive switch counts as the table that it is.
import { isTable, rowsOf } from './exhaustive.ts';
import type { Fault } from './source.ts';
import { ts, type TypeScript } from './syntax.ts';

export const MAX_FUNCTION_LINES = 60;
export const MAX_COMPLEXITY = 20;
/** A longer case of an exhaustive switch is counted as any other code. */
export const MAX_ROW_LINES = 3;

export interface FunctionSize {
  readonly name: string;
  /** Where it begins, from 1. */
  readonly line: number;
  /** Lines of code: neither blank lines nor comments, nor short rows of exhaustive switches. */
  lines: number;
  /** 1 and 1 for each branch, as ESLint counts, but for short rows of exhaustive switches. */
  complexity: number;
}

export function functionFaults(path: string, text: string): Fault[] {
  return functionSizes(path, text).flatMap(({ name, line, lines, complexity }) => {
    const faults: Fault[] = [];
    const fault = (what: string) => faults.push(`${path}:${line} ${name} has ${what}`);
    if (lines > MAX_FUNCTION_LINES) fault(`${lines} lines, more than ${MAX_FUNCTION_LINES}`);
    if (complexity > MAX_COMPLEXITY) {
      fault(`a cyclomatic complexity of ${complexity}, more than ${MAX_COMPLEXITY}`);
    }
    return faults;
  });
}

export function functionSizes(path: string, text: string): FunctionSize[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const code = codeLines(text);
  const sizes: FunctionSize[] = [];

  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const linesOf = (start: number, end: number) => code[lineOf(end) + 1]! - code[lineOf(start)]!;

  /** `around` are the functions that hold the node, the innermost last. */
  const visit = (node: TypeScript.Node, around: readonly FunctionSize[]): void => {
    let inside = around;
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const start = node.getStart(file);
      const lines = linesOf(start, node.end);
      const size = { name: nameOf(node, file), line: lineOf(start) + 1, lines, complexity: 1 };
      sizes.push(size);
      inside = [...around, size];
    } else if (ts.isSwitchStatement(node) && isTable(node, file)) {
      return visitTable(node, around);
    } else if (around.length > 0 && isBranch(node)) {
      around.at(-1)!.complexity++;
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  };

  const visitTable = (node: TypeScript.SwitchStatement, around: readonly FunctionSize[]): void => {
    const innermost = around.at(-1);
    if (innermost !== undefined) innermost.complexity++;
    visit(node.expression, around);
    for (const { clause, start, end } of rowsOf(node, file)) {
      const isShort = linesOf(start, end) <= MAX_ROW_LINES;
      const complexity = innermost?.complexity ?? 0;
      visit(clause, around);
      if (!isShort) continue;
      if (innermost !== undefined) innermost.complexity = complexity;
      const lines = linesOf(clause.getStart(file), clause.end);
      for (const size of around) size.lines -= lines;
    }
  };

  visit(file, []);
  return sizes;
}

/** How many lines of code come before each line. */
function codeLines(text: string): number[] {
  const before = [0];
  let isComment = false;
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    isComment ||= trimmed.startsWith('/*');
    const isCode = !isComment && trimmed !== '' && !trimmed.startsWith('//');
    before.push(before.at(-1)! + Number(isCode));
    if (trimmed.endsWith('*/')) isComment = false;
  }
  return before;
}

const { SyntaxKind } = ts;
const BRANCHES: ReadonlySet<TypeScript.SyntaxKind> = new Set([
  SyntaxKind.IfStatement,
  SyntaxKind.ConditionalExpression,
  SyntaxKind.ForStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.DoStatement,
  SyntaxKind.CatchClause,
  SyntaxKind.CaseClause,
]);
const BRANCHING_OPERATORS: ReadonlySet<TypeScript.SyntaxKind> = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
  SyntaxKind.AmpersandAmpersandEqualsToken,
  SyntaxKind.BarBarEqualsToken,
  SyntaxKind.QuestionQuestionEqualsToken,
]);

function isBranch(node: TypeScript.Node): boolean {
  if (ts.isBinaryExpression(node)) return BRANCHING_OPERATORS.has(node.operatorToken.kind);
  if (ts.isParameter(node) || ts.isBindingElement(node)) return node.initializer !== undefined;
  if (
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node)
  ) {
    return node.questionDotToken !== undefined;
  }
  return BRANCHES.has(node.kind);
}

function nameOf(node: TypeScript.SignatureDeclaration, file: TypeScript.SourceFile): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const { parent } = node;
  const name = node.name ?? (ts.isVariableDeclaration(parent) ? parent.name : undefined);
  return name?.getText(file) ?? 'a function';
}
