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
import { assumptionsOf, exampleTitle, notesOf, summaryLine } from '../summary.ts';
import { resultTable, totalLine } from '../table.ts';
import { traceTable } from '../trace.ts';

/** The blocks of one result; its summary comes last. */
function blocksOf(
  result: WithFindings<ReportedCheck>,
  environment: ReporterEnvironment,
): string[][] {
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
  const notes = notesOf(result).map((text) => `   ${paint.strong('note:')} ${text}`);
  const assumes = (text: string) => `   ${paint.strong('assumes:')} ${text}`;
  blocks.push([summaryLine(result, paint), ...notes, ...assumptionsOf(result).map(assumes)]);
  return blocks;
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

/** Check results as text for the terminal. */
export function checkText(report: Report<'check'>, environment: ReporterEnvironment): string {
  const blocks = completedResults(report).flatMap((one) => blocksOf(one, environment));
  if (report.isBatch && report.results.length + report.skipped > 1) {
    blocks.push([...resultTable(resultsOf(report), environment.paint), totalLine(report)]);
  }
  return joined(blocks);
}
