// Text in Markdown, with all markup escaped.
import { isFailure, type Report, type ReportedFailure } from '@poundlock/core/internal/finding';
import type { Table } from '../table-data.ts';
import { failureWord } from '../table.ts';

/** Escapes `text` for plain words. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|~&]/g, '\\$&').replaceAll(/\s+/g, ' ');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** `text` in a line, as code. */
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** Lines of code as a block. */
export function codeBlock(language: string, lines: readonly string[]): string[] {
  const text = lines.join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, text, fence];
}

/** A table; the cells are Markdown already. */
export function markdownTable({ heading, rows }: Table): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(heading.map(({ title }) => title)),
    line(heading.map(({ isNumber }) => (isNumber ? '---:' : '---'))),
    ...rows.map(line),
  ];
}

/** A table of plain text. */
export function escapedTable({ heading, rows }: Table): string[] {
  const titles = heading.map(({ title, isNumber }) => ({ title: escaped(title), isNumber }));
  return markdownTable({ heading: titles, rows: rows.map((row) => row.map(escaped)) });
}

/** `**could not run** gemm.ts: no such file`. */
export function failureLine(failure: ReportedFailure): string {
  const { file, error } = failure;
  return `**${failureWord(failure)}** ${codeSpan(file)}: ${escaped(error)}`;
}

/** The files of a report that could not be run, as a list. */
export function failureLines({ results }: Report): string[] {
  const failures = results.filter((result) => isFailure(result));
  return failures.map((failure) => `* ${failureLine(failure)}`);
}
