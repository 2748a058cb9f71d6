// Findings as an editor shows them.
import { pathToFileURL } from 'node:url';
import {
  DiagnosticSeverity,
  type Diagnostic,
  type DiagnosticRelatedInformation,
  type Range,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { SourceLocation } from '@poundlock/core/internal/finding';
import type { Told } from '../lint.ts';

export const SOURCE = 'poundlock';

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
} as const;

/** The range of a finding; lines and columns count from 0, columns in UTF-16. */
export function rangeOf({ start, end }: Told, document: TextDocument): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

/** One finding, with what every other party does as related information. */
export function diagnosticOf(told: Told, document: TextDocument): Diagnostic {
  const { rule, severity, message, labels, notes, helps } = told.finding;
  const more = [...notes.map((note) => `note: ${note}`), ...helps.map((help) => `help: ${help}`)];
  return {
    range: rangeOf(told, document),
    severity: SEVERITIES[severity],
    code: rule,
    source: SOURCE,
    message: [message, ...more].join('\n'),
    relatedInformation: labels.map(related),
  };
}

function related({ file, line, column, text }: SourceLocation): DiagnosticRelatedInformation {
  const at = { line: line - 1, character: column - 1 };
  return {
    location: { uri: pathToFileURL(file).href, range: { start: at, end: at } },
    message: text,
  };
}
