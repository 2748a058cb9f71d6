// Check results for pull requests and job summaries: a table, then a section per finding.
import {
  completedResults,
  isFailure,
  resultsOf,
  type Report,
  type ReportedCheck,
  type WithFindings,
} from '@poundlock/core/internal/finding';
import type { SourceLine } from '../frame.ts';
import { PLAIN } from '../paint.ts';
import type { ReporterEnvironment } from '../reporter.ts';
import { assumptionsOf, exampleTitle, notesOf, statement, subject } from '../summary.ts';
import { columnsOf, totalLine, verdictOf, withFile, type CheckRow } from '../table.ts';
import { documentOf, findingSection, notShown, replayBlock, type Section } from './finding.ts';
import { codeSpan, escaped, failureLine, markdownTable } from './text.ts';

const MAX_ROWS = 100;

/** Check results as a Markdown document. */
export function checkMarkdown(
  report: Report<'check'>,
  { sourceLine, picture }: ReporterEnvironment,
): string {
  const rows = resultsOf(report);
  const total = report.isBatch ? [totalLine(report), ''] : [];
  const head = [
    '## poundlock check',
    '',
    ...table(rows),
    '',
    ...total,
    ...sentences(rows, report.isBatch),
    ...pictureOf(completedResults(report), picture),
  ];
  const sections = completedResults(report).flatMap((result) => sectionsOf(result, sourceLine));
  return documentOf(head, sections);
}

/** The image of the schedules, if there are any. */
function pictureOf(
  results: readonly WithFindings<ReportedCheck>[],
  picture: string | undefined,
): string[] {
  const hasSchedule = results.some(({ findings, example }) => {
    return example !== undefined || findings.some(({ trace }) => trace !== undefined);
  });
  if (picture === undefined || !hasSchedule) return [];
  return ['', `![Space-time diagram of the schedule](<${picture}>)`];
}

function isCertified(row: CheckRow): boolean {
  return verdictOf(row) === 'certified';
}

function table(rows: readonly CheckRow[]): string[] {
  const columns = withFile(columnsOf(rows, PLAIN));
  const heading = columns.map(({ title, side }) => ({ title, isNumber: side === 'left' }));
  // If not all fit, those that need attention come first.
  const byNeed = (a: CheckRow, b: CheckRow) => Number(isCertified(a)) - Number(isCertified(b));
  const order = rows.length <= MAX_ROWS ? rows : rows.toSorted(byNeed);
  const cells = order.slice(0, MAX_ROWS).map((row) =>
    columns.map(({ title, cell }) => {
      const text = escaped(cell(row));
      return title === 'verdict' && !isCertified(row) ? `**${text}**` : text;
    }),
  );
  return [
    ...markdownTable({ heading, rows: cells }),
    ...notShown(rows.length - MAX_ROWS, 'result'),
  ];
}

function sentence(row: CheckRow): string {
  if (isFailure(row)) return failureLine(row);
  const what = `${escaped(subject(row))} in ${codeSpan(row.file)}: ${escaped(statement(row))}`;
  return `**${row.verdict}** ${what}`;
}

function remarks(row: CheckRow): string[] {
  if (isFailure(row)) return [];
  const lines = [
    ...notesOf(row).map((note) => `* note: ${escaped(note)}`),
    ...assumptionsOf(row).map(({ word, text }) => `* ${word}: ${escaped(text)}`),
  ];
  return lines.length === 0 ? [] : ['', ...lines];
}

/** What no table and no section shows: the single result, or why there is no verdict. */
function sentences(rows: readonly CheckRow[], isBatch: boolean): string[] {
  if (!isBatch) return rows.flatMap((row) => [sentence(row), ...remarks(row)]);
  const open = rows.filter((row) => isFailure(row) || row.verdict === 'inconclusive');
  const list = open.slice(0, MAX_ROWS).map((row) => `* ${sentence(row)}`);
  return [...list, ...notShown(open.length - MAX_ROWS, 'result')];
}

/** The findings and schedules of a result, with their traces separate, because they are long. */
function sectionsOf(result: WithFindings<ReportedCheck>, sourceLine: SourceLine): Section[] {
  const about = `${codeSpan(result.file)}: ${escaped(subject(result))}`;
  const all = result.findings.map((finding) => findingSection(finding, about, sourceLine));
  const { example } = result;
  const title = exampleTitle(result);
  if (example !== undefined && title !== undefined) {
    const lines = [`### ${title}`, '', about, '', ...replayBlock(example)];
    all.push({ lines, schedule: example });
  }
  return all;
}
