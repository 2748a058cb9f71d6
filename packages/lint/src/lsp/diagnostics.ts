// Converts findings to LSP diagnostics.
import { pathToFileURL } from 'node:url';
import {
  DiagnosticSeverity,
  type Diagnostic,
  type DiagnosticRelatedInformation,
  type Range,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { SourceLocation } from '@poundlock/core/internal/finding';
import type { LocatedFinding } from '../index.ts';

export const SOURCE = 'poundlock';

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const;

/** The range of a finding; lines and columns count from 0, columns in UTF-16. */
export function rangeOf({ start, end }: LocatedFinding, document: TextDocument): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

/** The diagnostic of a finding, with its labels as related information. */
export function diagnosticOf(reported: LocatedFinding, document: TextDocument): Diagnostic {
  const { rule, severity, message, labels, notes, helps } = reported.finding;
  const additions = [
    ...notes.map((note) => `note: ${note}`),
    ...helps.map((help) => `help: ${help}`),
  ];
  return {
    range: rangeOf(reported, document),
    severity: SEVERITIES[severity],
    code: rule,
    source: SOURCE,
    message: [message, ...additions].join('\n'),
    relatedInformation: labels.map(related),
  };
}

function related({ file, line, column, text }: SourceLocation): DiagnosticRelatedInformation {
  const start = { line: line - 1, character: column - 1 };
  return {
    location: { uri: pathToFileURL(file).href, range: { start, end: start } },
    message: text,
  };
}
