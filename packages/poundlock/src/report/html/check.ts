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
import { assumptionsOf, exampleTitle, subject } from '../summary.ts';
import { columnsOf, totalLine, type CheckRow, withFile } from '../table.ts';
import { findingsHtml, replayHtml } from './finding.ts';
import { MAX_SHOWN, notShownHtml, pageOf } from './page.ts';
import { partsOf, sharedLines } from '../verdict.ts';
import { element, tableHtml } from './text.ts';
import { scheduleHtml } from './trace.ts';
import { remarkHtml, verdictHtml } from './verdict.ts';

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
    ...(report.isBatch
      ? [element('p', totalLine(report)), ...table(rows), ...restOn(results)]
      : []),
    ...(report.isBatch ? shown.filter(isOpen) : shown).flatMap(sentence),
    ...(report.findings.length === 0 ? [] : [element('h2', 'Findings')]),
    ...findingsHtml(report.findings, aboutOf, sourceLine),
    ...shown.flatMap(exampleHtml),
  ]);
}

/** What the table does not show of one of several results. */
function isOpen(result: WithFindings<ReportedCheck>): boolean {
  const { claim, notes, coverage } = partsOf(result);
  return claim.verdict === 'inconclusive' || notes.length + coverage.length > 0;
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

/** The whole verdict; its findings have a section of the page. */
function sentence(result: WithFindings<ReportedCheck>): string[] {
  return [element('p', result.file, 'facts'), ...verdictHtml(partsOf(result))];
}

/** What the results of a table rest on. */
function restOn(results: readonly WithFindings<ReportedCheck>[]): string[] {
  const shared = sharedLines(results.map(assumptionsOf), 'results');
  return shared.map(({ word, text }) => remarkHtml(word, text));
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
