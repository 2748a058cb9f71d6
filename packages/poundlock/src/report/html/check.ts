// Check results as a page: verdicts, findings in their source, schedules.
import {
  completedResults,
  isFailure,
  resultsOf,
  type Report,
  type ReportedCheck,
  type WithFindings,
} from '@poundlock/core/internal/finding';
import { PLAIN } from '../paint.ts';
import type { ReporterEnvironment } from '../reporter.ts';
import { assumptionsOf, exampleTitle, notesOf, statement, subject, workText } from '../summary.ts';
import { columnsOf, totalLine, type CheckRow, withFile } from '../table.ts';
import { findingsHtml, replayHtml } from './finding.ts';
import { MAX_SHOWN, notShownHtml, pageOf } from './page.ts';
import { element, escaped, sentenceHtml, tableHtml } from './text.ts';
import { scheduleHtml } from './trace.ts';

/** The page of a check. */
export function checkPage(report: Report<'check'>, { sourceLine }: ReporterEnvironment): string {
  const rows = resultsOf(report);
  const results = completedResults(report);
  const shown = results.slice(0, MAX_SHOWN);
  const aboutOf = ({ result }: { readonly result: number }): string => {
    const row = rows[result]!;
    if (rows.length === 1) return '';
    return isFailure(row) ? row.file : `${row.file}: ${subject(row)}`;
  };
  return pageOf(report, [
    ...(report.isBatch ? [element('p', totalLine(report)), ...table(rows)] : []),
    ...(report.isBatch ? shown.filter(isOpen) : shown).flatMap(sentence),
    ...(report.findings.length === 0 ? [] : [element('h2', 'Findings')]),
    ...findingsHtml(report.findings, aboutOf, sourceLine),
    ...shown.flatMap(exampleHtml),
  ]);
}

/** What the table does not show of one of several results. */
function isOpen(result: ReportedCheck): boolean {
  return result.verdict === 'inconclusive' || notesOf(result).length > 0;
}

function table(rows: readonly CheckRow[]): string[] {
  const columns = withFile(columnsOf(rows, PLAIN));
  const shown = rows.slice(0, MAX_SHOWN);
  const heading = columns.map(({ title, side }) => ({ title, isNumber: side === 'left' }));
  const cells = shown.map((row) => columns.map(({ cell }) => cell(row)));
  return [
    ...tableHtml({ heading, rows: cells }, (at, column) =>
      column === 'verdict' ? verdictClass(shown[at]!) : '',
    ),
    ...notShownHtml(rows.length - shown.length, 'result'),
  ];
}

function verdictClass(row: CheckRow): string {
  return isFailure(row) ? 'error' : row.verdict;
}

function sentence(result: WithFindings<ReportedCheck>): string[] {
  const { verdict, file } = result;
  const what = `${subject(result)}: ${statement(result)}`;
  const items = [
    ...notesOf(result).map((note) => `note: ${note}`),
    ...assumptionsOf(result).map(({ word, text }) => `${word}: ${text}`),
  ];
  return [
    `<p>${element('span', verdict, `badge ${verdict}`)} ${escaped(what)}</p>`,
    element('p', `${file} · ${workText(result)}`, 'facts'),
    ...(items.length === 0
      ? []
      : [`<ul>${items.map((item) => `<li>${sentenceHtml(item)}</li>`).join('')}</ul>`]),
  ];
}

function exampleHtml(result: WithFindings<ReportedCheck>): string[] {
  const { example, file } = result;
  const title = exampleTitle(result);
  if (example === undefined || title === undefined) return [];
  return [
    element('h2', title),
    element('p', `${file}: ${subject(result)}`, 'facts'),
    ...replayHtml(example),
    ...scheduleHtml(example, true, { ...example, message: title, cited: [] }),
  ];
}
