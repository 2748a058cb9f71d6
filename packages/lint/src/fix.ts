// Fixes: edits that preserve normal behavior and release the handle when an exception is thrown.
import type { Edit, Fix } from '@poundlock/core/internal/finding';
import type { FlowFinding } from './flow/report.ts';
import { walk } from './syntax/children.ts';
import type {
  Block,
  CallExpression,
  Expression,
  ExpressionStatement,
  SourceFile,
  Statement,
  VariableStatement,
} from './syntax/node.ts';
import type { Variable } from './syntax/variable.ts';

/** The fixes of a finding, best first, with the line endings of its file. */
export function fixesOf(finding: FlowFinding): Fix[] {
  const fixes = fixesInLines(finding);
  if (!finding.file.text.includes('\r\n')) return fixes;
  return fixes.map((fix) => ({ ...fix, edits: fix.edits.map(withCarriageReturns) }));
}

function withCarriageReturns(edit: Edit): Edit {
  return { ...edit, text: edit.text.replaceAll(/\r?\n/g, '\r\n') };
}

function fixesInLines(finding: FlowFinding): Fix[] {
  if (finding.reason === 'pending') return awaited(finding);
  if (finding.kind !== 'leak' || finding.reason !== undefined) return [];
  const binding = bindingOf(finding);
  if (binding === undefined) return [];
  return [...scoped(finding, binding), ...inFinally(finding, binding)];
}

interface Binding {
  readonly block: Block;
  readonly statement: VariableStatement;
  readonly variable: Variable;
  readonly name: string;
}

/** `const h = acquire();` of a leak, with its block. */
function bindingOf({ file, start, end }: FlowFinding): Binding | undefined {
  let binding: Binding | undefined;
  walk(file.body, (node) => {
    if (node.kind !== 'block') return;
    for (const statement of node.statements) {
      if (statement.kind !== 'variables' || statement.form !== 'const') continue;
      const [declarator] = statement.declarations;
      if (declarator === undefined || statement.declarations.length > 1) continue;
      const { target, initializer } = declarator;
      if (target.kind !== 'name' || target.variable === undefined || !initializer) continue;
      const inner = initializer.kind === 'await' ? initializer.operand : initializer;
      const isIt = inner.start === start && inner.end === end;
      if (isIt) binding = { block: node, statement, variable: target.variable, name: target.text };
    }
  });
  return binding;
}

/** `h.close();`, `await h.close();` as statements of the block itself. */
function releases({ block, variable }: Binding, { instance }: FlowFinding): ExpressionStatement[] {
  const names = instance?.contract.release ?? [];
  return block.statements.filter((candidate): candidate is ExpressionStatement => {
    if (candidate.kind !== 'expression') return false;
    const call = withoutAwait(candidate.expression);
    if (call.kind !== 'call' || call.callee.kind !== 'member') return false;
    const { object, name } = call.callee;
    return isVariable(object, variable) && name !== undefined && names.includes(name);
  });
}

function withoutAwait(node: Expression): Expression {
  if (node.kind === 'await') return node.operand;
  return node.kind === 'unary' && node.operator === 'void' ? node.operand : node;
}

function isVariable(node: Expression, variable: Variable): boolean {
  return node.kind === 'name' && node.variable === variable;
}

/** Whether a variable is only used as the object of members: the handle never escapes. */
function neverEscapes({ block, variable }: Binding): boolean {
  let uses = 0;
  let members = 0;
  walk(block, (node) => {
    if (node.kind === 'name' && node.variable === variable) uses++;
    if (node.kind === 'member' && isVariable(node.object, variable)) members++;
  });
  return uses === members + 1 && !variable.captured;
}

/** (1) Replaces `const` by `using` and removes the manual release. */
function scoped(finding: FlowFinding, binding: Binding): Fix[] {
  const { release = [] } = finding.instance?.contract ?? {};
  const isSync = release.includes('[Symbol.dispose]');
  if (!isSync && !release.includes('[Symbol.asyncDispose]')) return [];
  if (!finding.file.allowsUsing() || !neverEscapes(binding)) return [];
  const manual = releases(binding, finding);
  if (countReleases(binding, finding) > manual.length) return [];
  const { statement } = binding;
  const keyword = isSync ? 'using' : 'await using';
  const { start } = statement;
  const edits = [
    { start, end: start + 'const'.length, text: keyword },
    ...manual.map((releaseCall) => wholeLine(finding.file, releaseCall)),
  ];
  return [{ title: `bind it with \`${keyword}\``, edits, isSafe: true }];
}

function countReleases({ block, variable }: Binding, { instance }: FlowFinding): number {
  const names = instance?.contract.release ?? [];
  let count = 0;
  walk(block, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const { object, name = '' } = node.callee;
    if (isVariable(object, variable) && names.includes(name)) count++;
  });
  return count;
}

/** A statement with its line, if nothing else is on it. */
function wholeLine({ text }: SourceFile, { start, end }: Statement): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  const isAlone = text.slice(from, start).trim() === '' && text.slice(end, to).trim() === '';
  return isAlone && to !== -1 ? { start: from, end: to + 1, text: '' } : { start, end, text: '' };
}

/** (2) Wraps the following statements in `try` and moves the only release into `finally`. */
function inFinally(finding: FlowFinding, binding: Binding): Fix[] {
  const manual = releases(binding, finding);
  const [only] = manual;
  if (only === undefined || manual.length > 1 || countReleases(binding, finding) > 1) return [];
  const { block, statement } = binding;
  const { file } = finding;
  const index = block.statements.indexOf(statement);
  const following = block.statements.slice(index + 1);
  const first = following[0];
  const last = following.at(-1);
  if (first === undefined || last === undefined || first === only) return [];
  const indent = indentOf(file, statement);
  const body = block.statements.length === 0 ? '' : file.text.slice(first.start, last.end);
  const without =
    body.slice(0, only.start - first.start).trimEnd() + body.slice(only.end - first.start);
  // Template literals contain their line breaks: code with one is not indented.
  const inner = body.includes('`')
    ? without.trim()
    : without.trim().replaceAll(/\n(?=[^\n])/g, '\n  ');
  const release = file.text.slice(only.start, only.end);
  const lines = ['try {', `  ${inner}`, '} finally {', `  ${release}`, '}'];
  const text = lines.join(`\n${indent}`);
  const edits = [{ start: first.start, end: last.end, text }];
  return [{ title: 'release it in `finally`', edits, isSafe: true }];
}

function indentOf({ text }: SourceFile, { start }: Statement): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  return /^\s*/.exec(text.slice(from, start))?.[0] ?? '';
}

/** (3) `return p` becomes `return await p`. */
function awaited({ file, start, end }: FlowFinding): Fix[] {
  let isReturned = false;
  walk(file.body, (node) => {
    if (node.kind !== 'return' || node.value === undefined) return;
    isReturned ||= node.value.kind === 'call' && isAt(node.value, start, end);
  });
  if (!isReturned) return [];
  return [{ title: 'add `await`', edits: [{ start, end: start, text: 'await ' }], isSafe: true }];
}

function isAt(node: CallExpression, start: number, end: number): boolean {
  return node.start === start && node.end === end;
}

/**
 * The edits of fixes that do not overlap, and how many fixes these are. Of fixes that overlap the
 * first one counts.
 *
 * @example
 * import { editsTogether } from 'poundlock/lint';
 *
 * const edits = [{ start: 0, end: 0, text: 'await ' }];
 * const fix = { title: 'add `await`', edits, isSafe: true };
 * console.log(editsTogether([fix]).applied); // 1
 */
export function editsTogether(fixes: readonly Fix[]): { edits: Edit[]; applied: number } {
  const taken: Edit[] = [];
  let applied = 0;
  for (const { edits } of fixes) {
    const clashes = edits.some((edit) =>
      taken.some((range) => edit.start < range.end && range.start < edit.end),
    );
    if (clashes) continue;
    taken.push(...edits);
    applied++;
  }
  return { edits: taken, applied };
}

/**
 * Applies fixes to a text, as far as they do not overlap.
 *
 * @example
 * import { applyEdits } from 'poundlock/lint';
 *
 * const edits = [{ start: 7, end: 7, text: 'await ' }];
 * const fix = { title: 'add `await`', edits, isSafe: true };
 * console.log(applyEdits('return close();', [fix]).text); // return await close();
 */
export function applyEdits(text: string, fixes: readonly Fix[]): { text: string; applied: number } {
  const { edits, applied } = editsTogether(fixes);
  let result = text;
  for (const { start, end, text: by } of edits.toSorted((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + by + result.slice(end);
  }
  return { text: result, applied };
}
