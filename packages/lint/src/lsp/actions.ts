// Code actions: the fixes of a finding, a suppression comment, and all safe fixes of a file.
import {
  CodeActionKind,
  type CodeAction,
  type CodeActionContext,
  type Range,
  type TextEdit,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
// Imports only this file of the engine: a server without a compiler must start and report that.
import type { Edit } from '@poundlock/core/internal/finding';
import { editsTogether } from '../fix.ts';
import type { LocatedFinding } from '../index.ts';
import { diagnosticOf, rangeOf } from './diagnostics.ts';

/** All safe fixes of a file, as `poundlock lint --fix` would apply them. */
const FIX_ALL = `${CodeActionKind.SourceFixAll}.poundlock`;

export const ACTION_KINDS = [CodeActionKind.QuickFix, FIX_ALL];

/** The actions for a range of a document whose findings are known. */
export function actionsFor(
  document: TextDocument,
  findings: readonly LocatedFinding[],
  range: Range,
  only: CodeActionContext['only'],
): CodeAction[] {
  const isWanted = (kind: string): boolean =>
    only === undefined || only.some((prefix) => kind === prefix || kind.startsWith(`${prefix}.`));
  const actions: CodeAction[] = [];
  if (isWanted(CodeActionKind.QuickFix)) {
    const here = findings.filter((finding) => touches(rangeOf(finding, document), range));
    actions.push(...here.flatMap((finding) => quickFixes(finding, document)));
  }
  // Fixing everything is only offered on request: on save, or by name.
  if (only !== undefined && isWanted(FIX_ALL)) actions.push(...fixAll(findings, document));
  return actions;
}

function touches(a: Range, b: Range): boolean {
  const isBefore = (a: Range['end'], b: Range['start']): boolean =>
    a.line < b.line || (a.line === b.line && a.character < b.character);
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function quickFixes(finding: LocatedFinding, document: TextDocument): CodeAction[] {
  const diagnostics = [diagnosticOf(finding, document)];
  const action = (title: string, edits: readonly Edit[]): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics,
    edit: { changes: { [document.uri]: textEdits(edits, document) } },
  });
  const fixes = finding.finding.fixes.map(({ title, edits, isSafe }) => ({
    ...action(title, edits),
    ...(isSafe ? { isPreferred: true } : {}),
  }));
  const { title, edit } = suppression(finding, document);
  return [...fixes, action(title, [edit])];
}

function textEdits(edits: readonly Edit[], document: TextDocument): TextEdit[] {
  return edits.map(({ start, end, text }) => ({
    range: { start: document.positionAt(start), end: document.positionAt(end) },
    newText: text,
  }));
}

/** A comment on the line before; it suppresses nothing until a reason is added. */
function suppression(
  finding: LocatedFinding,
  document: TextDocument,
): { title: string; edit: Edit } {
  const { rule } = finding.finding;
  const { line } = document.positionAt(finding.start);
  const start = document.offsetAt({ line, character: 0 });
  const text = document.getText();
  const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const comment = `${indent}// poundlock-ignore-next-line ${rule} -- ${end}`;
  return {
    title: `suppress ${rule} here: then write the reason`,
    edit: { start, end: start, text: comment },
  };
}

function fixAll(findings: readonly LocatedFinding[], document: TextDocument): CodeAction[] {
  const safe = findings.flatMap(({ finding }) =>
    finding.fixes.filter(({ isSafe }) => isSafe).slice(0, 1),
  );
  const { edits, applied } = editsTogether(safe);
  if (applied === 0) return [];
  return [
    {
      title: `apply ${applied} safe fix${applied === 1 ? '' : 'es'} of poundlock`,
      kind: FIX_ALL,
      edit: { changes: { [document.uri]: textEdits(edits, document) } },
    },
  ];
}
