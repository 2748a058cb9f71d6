// Advice for pull requests and job summaries: a table of proposals.
import { grouped } from '@poundlock/core/internal/base';
import {
  completedResults,
  type Report,
  type ReportedAdvice,
} from '@poundlock/core/internal/finding';
import { proposalTable, scopeOf } from '../advice.ts';
import { titleOf } from '../summary.ts';
import { reviewOf, reviewTable, scopeLines } from '../synchronization.ts';
import { joined } from './finding.ts';
import { codeSpan, escaped, escapedTable, failureLines } from './text.ts';

/** Advice as a Markdown document. */
export function adviceMarkdown(report: Report<'advise'>): string {
  const parts = completedResults(report).flatMap(linesOf);
  return joined(['## poundlock advise', '', ...parts, ...failureLines(report)]);
}

function linesOf(result: ReportedAdvice): string[] {
  const { file, model, caveat, current, synchronization } = result;
  if (current === null || synchronization !== undefined) return reviewLines(result);
  const note = caveat === null ? '' : ` (${caveat})`;
  const now = `now ${grouped(current.totalCycles)} cycles, model ${model}${note}`;
  return [
    `${codeSpan(file)}: ${escaped(`${titleOf(result)}: ${now}`)}`,
    '',
    `Legality was checked for ${scopeOf(result)}.`,
    '',
    ...escapedTable(proposalTable(result)),
  ];
}

function reviewLines(result: ReportedAdvice): string[] {
  const { file, synchronization } = result;
  const head = `${codeSpan(file)}: ${escaped(`${titleOf(result)}: ${reviewOf(result)}`)}`;
  if (synchronization === undefined) return [head];
  return [
    head,
    '',
    ...escapedTable(reviewTable(synchronization)),
    '',
    ...scopeLines(synchronization, result.model).map((line) => `* ${escaped(line)}`),
  ];
}
