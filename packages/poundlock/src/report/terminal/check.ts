// Check results for the terminal: findings in code frames, a line per result, a table at the end.
import {
  completedResults,
  resultsOf,
  type Report,
  type ReportedCheck,
  type WithFindings,
} from '@poundlock/core/internal/finding';
import { findingLines } from '../finding.ts';
import type { ReporterEnvironment } from '../reporter.ts';
import { assumptionsOf, exampleTitle, summaryLine } from '../summary.ts';
import { resultTable, totalLine } from '../table.ts';
import { traceTable } from '../trace.ts';
import {
  blocksRemark,
  partsOf,
  remarksBy,
  renderedParts,
  sharedLines,
  type ByPart,
} from '../verdict.ts';
import { hanging } from '../wrapped.ts';

type Result = WithFindings<ReportedCheck>;

/** The blocks of one result; its summary comes last. */
function blocksOf(result: Result, environment: ReporterEnvironment): string[][] {
  const { paint, schedules } = environment;
  const blocks = result.findings.map((finding, at) => {
    // Several findings of one schedule: its table is below the first.
    const isKnown = result.findings
      .slice(0, at)
      .some(({ replayToken }) => replayToken === finding.replayToken);
    return findingLines(finding, isKnown ? { ...environment, schedules: 'hidden' } : environment);
  });
  const { example } = result;
  const title = exampleTitle(result);
  if (example !== undefined && title !== undefined) {
    const replay = `   ${paint.strong('replay:')} ${example.replayCommand ?? example.replayToken}`;
    const table = traceTable(example.trace, example.standing, paint, schedules === 'whole');
    blocks.push([paint.strong(title), ...table, replay]);
  }
  blocks.push(renderedParts(termsOf(result, environment), partsOf(result)));
  return blocks;
}

/** The parts of a verdict below its findings. */
function termsOf(result: Result, environment: ReporterEnvironment): ByPart {
  const write = (word: string, text: string): string => remark(word, text, environment);
  return {
    claim: (claim) => [
      summaryLine(result, environment.paint, environment.columns),
      ...blocksRemark(claim, write),
    ],
    ...remarksBy(write),
    // At the end of the line of the claim.
    statistics: () => [],
    // Blocks of their own, with their schedules.
    findings: () => [],
    // It is the text that was read a moment ago.
    texts: () => [],
  };
}

function remark(word: string, text: string, { paint, columns }: ReporterEnvironment): string {
  const before = 3 + word.length + 2;
  const lines = hanging(text, { columns, before, indent: 6 });
  return `   ${paint.strong(`${word}:`)} ${lines.join('\n')}`;
}

/** Puts an empty line between blocks, but not between consecutive summaries. */
function joined(blocks: readonly string[][]): string {
  let text = '';
  for (const [index, lines] of blocks.entries()) {
    const short = lines.length === 1 && blocks[index - 1]?.length === 1;
    text += `${index === 0 || short ? '' : '\n'}${lines.join('\n')}\n`;
  }
  return text;
}

/** The most certified kernels of several files that have a line each, beside their row. */
const MOST_LINES = 4;

/** What is certified without a finding is a row of the table, where there is much of it. */
function isRow({ verdict, findings, example }: Result): boolean {
  return verdict === 'certified' && findings.length === 0 && example === undefined;
}

/** Check results as text for the terminal. */
export function checkText(report: Report<'check'>, environment: ReporterEnvironment): string {
  const { paint } = environment;
  const results = completedResults(report);
  const areFiles = new Set(resultsOf(report).map(({ file }) => file)).size > 1;
  const rows = areFiles ? results.filter(isRow) : [];
  const isFolded = rows.length > MOST_LINES;
  const shown = isFolded ? results.filter((one) => !isRow(one)) : results;
  const blocks = shown.flatMap((one) => {
    const own = blocksOf(one, environment);
    return isFolded ? [[paint.strong(`── ${one.file}`), ...own[0]!], ...own.slice(1)] : own;
  });
  if (report.isBatch && report.results.length + report.skipped > 1) {
    const shared = isFolded ? sharedLines(rows.map(assumptionsOf), 'certified') : [];
    const below = shared.map(({ word, text }) => remark(word, text, environment));
    blocks.push([...resultTable(resultsOf(report), paint), totalLine(report), ...below]);
  }
  return joined(blocks);
}
