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
import { assumptionsOf, exampleTitle, subject } from '../summary.ts';
import { columnsOf, totalLine, verdictOf, withFile, type CheckRow } from '../table.ts';
import {
  blocksRemark,
  partsOf,
  remarksBy,
  renderedParts,
  sharedLines,
  textsLine,
  type RenderRemark,
} from '../verdict.ts';
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

const remark: RenderRemark = (word, text) => `* ${word}: ${escaped(text)}`;

/** The whole verdict of one result; its findings have sections. */
function verdictLines(result: WithFindings<ReportedCheck>): string[] {
  const [first = '', ...remarks] = renderedParts(
    {
      claim: (claim) => {
        const what = `${escaped(claim.subject)} in ${codeSpan(result.file)}`;
        const line = `**${claim.verdict}** ${what}: ${escaped(claim.statement)}`;
        return [line, ...blocksRemark(claim, remark)];
      },
      ...remarksBy(remark),
      findings: () => [],
      statistics: (text) => [`* ${escaped(text)}`],
      texts: (texts) => textsLine(texts).map((line) => `* ${escaped(line)}`),
    },
    partsOf(result),
  );
  return [first, '', ...remarks];
}

/** What the table does not show: the whole of a single result, or why there is no verdict. */
function sentences(rows: readonly CheckRow[], isBatch: boolean): string[] {
  if (!isBatch) {
    return rows.flatMap((row) => (isFailure(row) ? [failureLine(row)] : verdictLines(row)));
  }
  const open = rows.filter((row) => isFailure(row) || row.verdict === 'inconclusive');
  const list = open
    .slice(0, MAX_ROWS)
    .map((row) => `* ${isFailure(row) ? failureLine(row) : verdictLines(row)[0]}`);
  const checked = rows.flatMap((row) => (isFailure(row) ? [] : [row]));
  const shared = sharedLines(checked.map(assumptionsOf), 'results');
  return [
    ...list,
    ...notShown(open.length - MAX_ROWS, 'result'),
    ...(shared.length === 0 ? [] : ['', ...shared.map(({ word, text }) => remark(word, text))]),
  ];
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
